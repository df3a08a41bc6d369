// Rows that each iteration of a loop over space stores before it reads them, in one place: of the caller's, of a function's, of the
// iteration's own.
// form: bodies: flux[j] = 0.5 * (u[i * m + j] - u[i * m + j - 1]);
// form: bodies: double row[m];
// form: bodies: double r1[2048], r2[2048];
// args: 12 9 5 ; 3 4 2 ; 1 2 3 ; 0 3 2 ; 7 3 1
#include "dump.h"
#include <stdlib.h>

/* Columns after rows, with borders of the row. */
static void in_rows(int n, int m, int steps, double *u, double *flux)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            for (int j = 1; j < m; j++)
                flux[j] = 0.5 * (u[i * m + j] - u[i * m + j - 1]);
            flux[0] = u[i * m];
            for (int j = 0; j < m - 1; j++)
                u[i * m + j] += 0.25 * (flux[j + 1] - flux[j]);
        }
        for (int j = m - 1; j >= 0; j--) {
            for (int i = n - 1; i >= 0; --i)
                flux[i] = 0.125f * u[i * m + j];
            for (int i = 1; i <= n - 2; i++)
                u[i * m + j] -= flux[i - 1] + flux[i + 1];
        }
    }
}

/* A table of rows, as of fluxes of several quantities, which the caller reads. */
static void in_tables(int n, int m, int steps, float *q, float **flux, float **next)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < m; j++) {
                flux[0][j] = q[2 * (i * m + j) + 1];
                flux[1][j] = q[2 * (i * m + j)] * 0.5f;
            }
            for (int j = 1; j < m; j++)
                for (int k = 0; k < 2; k++)
                    next[k][j] = 0.25f * (flux[k][j - 1] + flux[k][j]);
            for (int j = 1; j < m - 1; j++)
                for (int k = 0; k < 2; k++)
                    q[2 * (i * m + j) + k] -= next[k][j + 1] - next[k][j];
        }
}

/* Rows of a function, in two loops. */
static void smooth(int n, int m, double u[n][n][m], double r[n][n][m])
{
    double r1[2048], r2[2048];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            for (int k = 0; k < m; k++) {
                r1[k] = r[i][j - 1][k] + r[i][j + 1][k] + r[i - 1][j][k] + r[i + 1][j][k];
                r2[k] = r[i - 1][j - 1][k] + r[i + 1][j + 1][k];
            }
            for (int k = 1; k < m - 1; k++)
                u[i][j][k] += 0.1 * r[i][j][k] + 0.02 * (r1[k] + r2[k]) + 0.003 * (r1[k - 1] + r1[k + 1]);
        }
}

static void in_functions(int n, int m, int steps, double u[n][n][m], double r[n][n][m])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        smooth(n, m, u, r);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double row[m];
                for (int k = 0; k < m; k++)
                    row[k] = 0.5 * u[i][j][k];
                for (int k = 1; k < m - 1; k++)
                    r[i][j][k] = 0.125 * r[i][j][k] + 0.5 * (row[k - 1] + row[k + 1]);
            }
        if (t % 2 == 1)
            printf("%d: %a\n", t, r[0][0][m / 2]);
    }
}

/* What is left of a scalar in disguise, and a row that is read behind its loop. */
static void in_elements(int n, int m, int steps, int *u, int *last, int *rows)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 1; j < m; j++) {
                last[i] = u[i * m + j] - 3;
                u[i * m + j] = last[i] % 7 + j;
            }
        for (unsigned i = 0; i < (unsigned)n; i++)
            for (int j = 0; j < m; j++) {
                rows[j] = 2 * u[i * m + j];
                u[i * m + j] = rows[j] - last[i];
            }
        for (int j = 0; j < m; j++)
            last[j] = last[j] / 2 + rows[j];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 12), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    int most = n > m ? n : m;
    double *u = new_double(n * m, 1), *flux = new_double(most, 2);
    in_rows(n, m, steps, u, flux);
    show_double("u", u, n * m);
    show_double("flux", flux, most);
    float *q = new_float(2 * n * m, 3), *rows = new_float(4 * m, 4);
    float *now[] = {rows, rows + m}, *next[] = {rows + 2 * m, rows + 3 * m};
    in_tables(n, m, steps, q, now, next);
    show_float("q", q, 2 * n * m);
    show_float("rows", rows, 4 * m);
    double *a = new_double(n * n * m, 5), *b = new_double(n * n * m, 6);
    in_functions(n, m, steps, (void *)a, (void *)b);
    show_double("a", a, n * n * m);
    show_double("b", b, n * n * m);
    int *c = new_int(n * m, 7), *last = new_int(most, 8), *doubled = new_int(m, 9);
    in_elements(n, m, steps, c, last, doubled);
    show_int("c", c, n * m);
    show_int("last", last, most);
    show_int("doubled", doubled, m);
    return 0;
}
