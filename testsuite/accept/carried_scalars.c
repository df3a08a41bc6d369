// Scalars that carry elements from step to step: local, of the file, members and registers.
// args: 41 17 6 ; 40 3 1 ; 64 9 0
// form: scalars by rule: ex[0] = low_2, low_2 = low_1, low_1 = ex[1];
#include "dump.h"

static float of_file;
static int count_of_file;

struct ends {
    double last, before[2];
};

/* A pulse in one dimension with absorbing ends. */
static void absorbed(int n, int steps, double *ex, double *hy)
{
    double low_1 = 0, low_2 = 0;
    register double high_1 = 0, high_2 = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            ex[i] = ex[i] + 0.5 * (hy[i - 1] - hy[i]);
        ex[n / 2] += 0.25 * t;
        ex[0] = low_2, low_2 = low_1, low_1 = ex[1];
        ex[n - 1] = high_2;
        high_2 = high_1;
        high_1 = ex[n - 2];
        for (int i = 0; i < n - 1; i++)
            hy[i] = hy[i] + 0.5 * (ex[i] - ex[i + 1]);
    }
    printf("%a %a %a %a\n", low_1, low_2, high_1, high_2);
}

static void store(double *place, double value)
{
    *place = value;
}

/* Scalars elsewhere, of other types, under conditions, read within sweeps. */
static void elsewhere(int n, int m, int steps, float *a, float *b, struct ends *ends)
{
    double kept = 0.5;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = 0.2f * (a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j]) + of_file * 0.125f
                             + (float)(ends->last - kept);
        if (t % 2)
            of_file = 0.5f * (of_file + b[m + 2]);
        if (b[m + 1] > 0)
            count_of_file += 1 + count_of_file / 2;
        ends->last = 0.25 * ends->last + b[m + 3];
        store(&kept, 0.5 * kept + ends->last + count_of_file % 3);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i * m + j] = b[i * m + j];
    }
    printf("%a\n", kept);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), m = argument(argc, argv, 2, 10), steps = argument(argc, argv, 3, 5);
    double *ex = new_double(n, 1), *hy = new_double(n, 2);
    float *a = new_float(n * m, 3), *b = new_float(n * m, 4);
    struct ends ends = {0.5, {1, 2}};
    absorbed(n, steps, ex, hy);
    elsewhere(n, m, steps, a, b, &ends);
    show_double("ex", ex, n);
    show_double("hy", hy, n);
    show_float("a", a, n * m);
    show_float("b", b, n * m);
    printf("%a %d %a %a %a\n", of_file, count_of_file, ends.last, ends.before[0], ends.before[1]);
    return 0;
}
