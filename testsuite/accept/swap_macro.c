// The swap is a macro; the fields are pointers to rows, in a function.
// args: 17 9 5 ; 8 31 3 ; 11 7 6
#include "dump.h"

#define SWAP(type, x, y) do { type swap_ = (x); (x) = (y); (y) = swap_; } while (0)

static double *relax(int n, int m, int steps, float (*u)[m], float (*v)[m])
{
    typedef float (*rows)[m];
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = 0.25f * (u[i][j - 1] + u[i][j + 1] + u[i - 1][j] + u[i + 1][j]);
        SWAP(rows, u, v);
    }
    double *sums = malloc(2 * sizeof *sums);
    sums[0] = u[n / 2][m / 2];
    sums[1] = v[n / 2][m / 2];
    return sums;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    float *a = new_float((size_t)n * m, 1), *b = new_float((size_t)n * m, 2);
    double *sums = relax(n, m, steps, (float (*)[m])a, (float (*)[m])b);
    show_double("sums", sums, 2);
    show_float("a", a, (size_t)n * m);
    show_float("b", b, (size_t)n * m);
    return 0;
}
