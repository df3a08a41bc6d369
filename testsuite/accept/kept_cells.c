// Sweeps of a loop that the host keeps store members behind pointers to cells: declared there, or given to functions.
// args: 13 9 7 ; 5 6 8 ; 4 3 1 ; 17 5 0
// form: loops that the host keeps: struct cell *c = &b[i][j];
// form: loops that the host keeps: carry(&b[i - 1][j], b[i] + j + 1, &a[i][j]);
#include "dump.h"

struct cell {
    double p, v;
};

struct total {
    double sum;
    int steps;
};

static void carry(const struct cell *from, const struct cell *beside, struct cell *to)
{
    to->p = 0.5 * (from->p + beside->p);
    to->v = beside->v - 0.25 * from->v;
}

static void note(struct total *total, double value)
{
    total->sum += value;
    total->steps++;
}

static void run(int n, int m, int steps, struct cell a[n][m], struct cell b[n][m], struct total *total)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                struct cell *c = &b[i][j];
                const struct cell *east = &a[i][j + 1];
                c->p = a[i][j].p + 0.1 * (east->p - a[i][j - 1].p);
                c->v = 0.5 * (east->v + a[i - 1][j].v);
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                carry(&b[i - 1][j], b[i] + j + 1, &a[i][j]);
        if (t % 3 == 0) {
            note(total, a[n / 2][m / 2].p);
            printf("step %d: %.17g\n", t, total->sum);
        }
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    size_t count = 2 * (size_t)n * m;
    double *a = new_double(count, 1), *b = new_double(count, 2);
    struct total total = {0, 0};
    run(n, m, steps, (struct cell(*)[m])a, (struct cell(*)[m])b, &total);
    printf("%.17g %d\n", total.sum, total.steps);
    show_double("a", a, count);
    show_double("b", b, count);
    return 0;
}
