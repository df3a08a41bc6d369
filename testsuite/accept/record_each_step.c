// Records of each step beside the sweeps: a point, receivers in a flat array, a source of each step.
// form: records and sources: point[t] = b[1 * m + 2] - a[1 * m + 2];
// form: records and sources: trace[t * count + r] = b[2 * m + r];
// form: records and sources: b[2 * m + 1] += pulse[t];
// args: 17 9 5 3 ; 6 23 7 2 ; 5 5 1 1 ; 6 6 0 2
// notes: no time tiles
#include "dump.h"

static void wave(int n, int m, int steps, int count, const double *pulse, double *a, double *b, double *point, double *trace)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
        b[2 * m + 1] += pulse[t];
        point[t] = b[1 * m + 2] - a[1 * m + 2];
        for (int r = 0; r < count; r++)
            trace[t * count + r] = b[2 * m + r];
        double *swap = a;
        a = b;
        b = swap;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5), count = argument(argc, argv, 4, 3);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2), *pulse = new_double(steps, 3);
    double *point = new_double(steps, 4), *trace = new_double((size_t)steps * count, 5);
    wave(n, m, steps, count, pulse, a, b, point, trace);
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    show_double("point", point, steps);
    show_double("trace", trace, (size_t)steps * count);
    return 0;
}
