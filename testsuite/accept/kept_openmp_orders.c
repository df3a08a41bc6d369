// Threads tell each other by OpenMP's directives that a step is done: the arrays are there before `atomic` and `critical`, and what
// else needs them below such a directive stays below it.
// flags: -fopenmp
// args: 20 9 ; 3 4 ; 5 0
// form: loops that the host keeps: #pragma omp atomic write seq_cst
#include <omp.h>
#include "dump.h"

enum { MOST = 40 };

static double u[MOST], v[MOST], seen, sum;
static int ready, taken;

static void sweep(int n, const double *a, double *b)
{
    for (int i = 1; i < n - 1; i++)
        b[i] = 0.5 * (a[i - 1] + a[i + 1]);
}

static int wait_for(int *number, int least)
{
    int now = 0;
    while (now < least) {
#pragma omp atomic read seq_cst
        now = *number;
    }
    return now;
}

static void watch(int steps)
{
    for (int t = 1; t <= steps; t++) {
        wait_for(&ready, t);
        for (int i = 0; i < MOST; i++)
            seen += u[i] * (i + t);
#pragma omp atomic write seq_cst
        taken = t;
    }
}

static void march(int n, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sweep(n, u, v);
        sweep(n, v, u);
#pragma omp atomic write seq_cst
        ready = t + 1;
        wait_for(&taken, t + 1);
    }
}

static void add(int n, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sweep(n, u, v);
        sweep(n, v, u);
        if (t % 2 == 0)
#pragma omp atomic
            sum += u[2];
#pragma omp critical
        sum += v[2];
        printf("%d %a\n", t, sum);
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 9);
    fill_double(u, MOST, 1);
    fill_double(v, MOST, 2);
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        march(n, steps);
#pragma omp section
        watch(steps);
    }
    printf("%a\n", seen);
    add(n, steps);
    show_double("u", u, MOST);
    show_double("v", v, MOST);
    return 0;
}
