// Each step notes what a line of cells holds in a column of its own, also where pointers are exchanged.
// args: 19 17 ; 5 3 ; 4 0 ; 33 7
// form: records and sources: trace[i * steps + t] = a[i];
#include "dump.h"

static void copied_back(int n, int steps, double *a, double *b, double *trace)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] * 0.5 + a[i + 1] * 0.25;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        for (int i = 0; i < n; i++)
            trace[i * steps + t] = a[i];
    }
}

static void exchanged(int n, int steps, double *a, double *b, double *trace)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] * 0.5 + a[i + 1] * 0.25;
        double *swap = a;
        a = b;
        b = swap;
        for (int i = 0; i < n; i++)
            trace[i * steps + t] = a[i];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), steps = argument(argc, argv, 2, 17);
    double *a = new_double(n, 1), *b = new_double(n, 2), *trace = new_double((size_t)n * (steps + 1), 3);
    copied_back(n, steps, a, b, trace);
    show_double("trace", trace, (size_t)n * (steps + 1));
    exchanged(n, steps, a, b, trace);
    show_double("a", a, n);
    show_double("b", b, n);
    show_double("trace", trace, (size_t)n * (steps + 1));
    return 0;
}
