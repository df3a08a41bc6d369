// Scalars of rules that live elsewhere: a member, a global variable that a function advances, an index that starts anywhere.
// form: scalars by rule: clock->time += clock->dt;
// args: 17 5 1 ; 20 4 0 ; 9 0 1
#include "dump.h"

struct clock { double time, dt; int cycle; };
static double phase = 0.25;
static int now;
static double level[2][32];

static void advance(double by)
{
    phase = phase * 1.25 + by;
    now = 1 - now;
}

static void run(struct clock *clock, int n, int steps, double *a, const double *b)
{
    double weight[2];
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            weight[0] = clock->time * b[i];
            weight[1] = phase - weight[0];
            if (i == 3)
                continue;
            level[1 - now][i] = 0.5 * level[now][i - 1] + weight[1];
            a[i] += weight[0] * clock->cycle;
        }
        clock->time += clock->dt;
        clock->cycle++;
        advance(clock->dt);
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    struct clock clock = {0.5, 0.1, 3};
    double *a = new_double(n, 1), *b = new_double(n, 2);
    fill_double(&level[0][0], 64, 3);
    now = argument(argc, argv, 3, 1);
    run(&clock, n, steps, a, b);
    show_double("a", a, n);
    show_double("level", &level[0][0], 64);
    printf("%.17g %d %.17g %d\n", clock.time, clock.cycle, phase, now);
    return 0;
}
