// Neighbours that are read within a branch on the place, and exist only there: kernels compute the branch's scalars for all cells.
// form: bodies: if (i >= FAR) { const double d = far[i - FAR] - c; s += d * d; }
// form: bodies: if (j > 0) { const double w = mask[i][j - 1]; if (i > 0) s += w * mask[i - 1][j]; }
// form: bodies: if (i >= last) { const double q = line[40000000 * (i - last - 1) + 40000000]; s += q * q; }
// args: 37 23 7 ; 6 9 4 ; 4 4 1
#include "dump.h"

enum { FAR = 40000000 };

/* The rows of the mask end where the memory does. */
static double **rows_of(int n, int m)
{
    double **rows = malloc(n * sizeof *rows);
    for (int i = 0; i < n; i++) {
        rows[i] = malloc(m * sizeof **rows);
        for (int j = 0; j < m; j++)
            rows[i][j] = (i * 31 + j * 17) % 11 / 7.0;
    }
    return rows;
}

static void near_and_far(int n, int m, int steps, double (*a)[m], double (*b)[m], const double *far, double **mask)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                const double c = a[i][j];
                double s = 0.25 * c;
                if (i >= FAR) { const double d = far[i - FAR] - c; s += d * d; }
                if (j > 0) { const double w = mask[i][j - 1]; if (i > 0) s += w * mask[i - 1][j]; }
                b[i][j] = 0.5 * s;
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] = b[i][j];
    }
}

static void strided(int n, int steps, int last, double *u, const double *line)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++) {
            double s = 0.125;
            if (i >= last) { const double q = line[40000000 * (i - last - 1) + 40000000]; s += q * q; }
            u[i] = 0.75 * u[i] + s;
        }
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 37), m = argument(argc, argv, 2, 23), steps = argument(argc, argv, 3, 7);
    const double far[1] = { 2.0 }, line[1] = { 1.5 };
    double a[n][m], b[n][m], u[n], **mask = rows_of(n, m);
    fill_double(&a[0][0], (size_t)n * m, 1);
    fill_double(&b[0][0], (size_t)n * m, 2);
    fill_double(u, n, 3);
    near_and_far(n, m, steps, a, b, far, mask);
    strided(n, steps, n - 1, u, line);
    show_double("a", &a[0][0], (size_t)n * m);
    show_double("b", &b[0][0], (size_t)n * m);
    show_double("u", u, n);
    for (int i = 0; i < n; i++)
        free(mask[i]);
    free(mask);
    return 0;
}
