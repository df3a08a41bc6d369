// Scalars that carry elements from step to step of a loop that the host keeps, which reads and stores some of them.
// args: 41 30 ; 40 7 ; 9 1
// form: loops that the host keeps: if (t % 5 == 0) printf("%a %a\n", ex[n / 2], low_1);
#include "dump.h"

static double last;

static double doubled(double x)
{
    return 2 * x + last;
}

static void printed(int n, int steps, double *ex, double *hy)
{
    double low_1 = 0, low_2 = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            ex[i] = ex[i] + 0.5 * (hy[i - 1] - hy[i]);
        ex[0] = low_2;
        low_2 = low_1;
        low_1 = ex[1];
        for (int i = 0; i < n - 1; i++)
            hy[i] = hy[i] + 0.5 * (ex[i] - ex[i + 1]);
        if (t % 5 == 0)
            printf("%a %a\n", ex[n / 2], low_1);
        if (t == 12)
            low_1 = low_1 + 0.5;
        if (t == 14)
            sscanf("0.25", "%lf", &low_2);
    }
    printf("%a %a\n", low_1, low_2);
}

static void step(int n, double *a, double *b)
{
    for (int i = 1; i < n - 1; i++)
        b[i] = 0.5 * (a[i - 1] + a[i + 1]) + 0.125 * last;
    last = 0.5 * last + b[1];
    for (int i = 1; i < n - 1; i++)
        a[i] = b[i];
}

static void of_functions(int n, int steps, double *a, double *b)
{
    double sum = 0;
    int t = 0;
#pragma stencil
    while (t < steps) {
        step(n, a, b);
        t++;
        if (t % 8 == 3)
            sum += doubled(t);
    }
    printf("%a %a\n", sum, last);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 5);
    double *ex = new_double(n, 1), *hy = new_double(n, 2), *a = new_double(n, 3), *b = new_double(n, 4);
    printed(n, steps, ex, hy);
    of_functions(n, steps, a, b);
    show_double("ex", ex, n);
    show_double("hy", hy, n);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
