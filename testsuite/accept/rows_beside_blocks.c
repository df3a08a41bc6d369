// Tables of rows, one of them a global array, beside a flat array, one with two dimensions, and an integer mask in rows.
// form: rows behind pointers: static double *u[N];
// args: 17 9 5 ; 8 31 3
#include "rows.h"

#define N 24
#define M 40

static double *u[N];
static double k[N][M];

static void flow(int n, int m, int steps, const double *source, double **next, int *const *mask)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            const double *above = u[i - 1], *row = u[i], *below = u[i + 1];
            for (int j = 1; j < m - 1; j++) {
                double sum = above[j] + below[j] + row[j - 1] + row[j + 1];
                double flowed = row[j] + k[i][j] * (sum - 4 * row[j]) + source[i * m + j];
                next[i][j] = mask[i][j] > 0 ? flowed : row[j];
            }
        }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[i][j] = next[i][j];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    double **next = new_rows(n, m, 3), *source = new_double((size_t)n * m, 4);
    int *mask[N];
    fill_double(k[0], (size_t)N * M, 1);
    for (int i = 0; i < n; i++) {
        u[i] = new_double((size_t)m, 50 + i);
        mask[i] = new_int((size_t)m, 90 + i);
    }
    flow(n, m, steps, source, next, mask);
    show_rows("u", u, n, m);
    show_rows("next", next, n, m);
    return 0;
}
