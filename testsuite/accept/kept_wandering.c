// Scalars that each step changes by no rule, or by data: the host computes them, and passes them to each step.
// args: 64 12 ; 64 0 ; 9 5
// form: loops that the host keeps: now = (now * now + 3) % 5
#include "dump.h"

static void wander(int n, int steps, double (*a)[n], double *b)
{
    int now = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[now][i - 1] + a[now][i + 1];
        for (int i = 1; i < n - 1; i++)
            a[1][i] -= b[i];
        now = (now * now + 3) % 5;
    }
}

static void start(int n, int now, int steps, double (*a)[n])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            a[1 - now][i] = 0.5 * (a[now][i - 1] + a[now][i + 1]);
        now = 1 - now;
    }
}

static double adapt(int n, int steps, double *a, const double *b)
{
    double time = 0;
    int kind = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            a[i] += kind ? b[i] * time : b[i];
        time += 0.5 * a[1];
        if (a[2] > 0)
            kind = 1 - kind;
    }
    return time + kind;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 64), steps = argument(argc, argv, 2, 12);
    double *a = new_double((size_t)n * 5, 1), *b = new_double((size_t)n, 2);
    wander(n, steps, (double (*)[n])a, b);
    show_double("a", a, (size_t)n * 5);
    start(n, 0, steps, (double (*)[n])a);
    start(n, 1, steps, (double (*)[n])a);
    show_double("a", a, (size_t)n * 5);
    printf("%a\n", adapt(n, steps, a, b));
    show_double("a", a, (size_t)n * 5);
    return 0;
}
