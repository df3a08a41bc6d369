// The host looks at the largest change between a sweep and the loop that copies it back, and leaves the loop by it.
// args: 70 40 0.004 ; 70 21 0 ; 20 60 0.003 ; 70 3 9
// form: loops that the host keeps: if (err < tol) break;
// form: loops that the host keeps: if (changed == 0) return k;
#include <math.h>
#include <string.h>
#include "dump.h"

static double largest(int n, double u[n][n], double v[n][n])
{
    double found = 0;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
            found = fmax(found, fabs(v[i][j] - u[i][j]));
        }
    return found;
}

static int relax(int n, double u[n][n], double v[n][n], int most, double tol, double *last)
{
    int it = 0;
    double err = -1;
#pragma stencil
    while (it < most) {
        err = largest(n, u, v);
        if (it % 16 == 3)
            printf("%d %a %a\n", it, err, v[2][2]);
        if (err < tol) break;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i][j] = v[i][j];
        it++;
    }
    *last = err;
    return it;
}

static int settle(int n, double *u, double *v, int most, double tol)
{
#pragma stencil
    for (int k = 0; k < most; k++) {
        int changed = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                int at = i * n + j;
                v[at] = u[at] + 0.2 * (u[at - n] + u[at + n] + u[at - 1] + u[at + 1] - 4 * u[at]);
                if (fabs(v[at] - u[at]) > tol)
                    changed++;
            }
        if (k % 10 == 9)
            printf("%d points\n", changed);
        if (changed == 0) return k;
        memcpy(u, v, (size_t)n * n * sizeof *u);
    }
    return -1;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 70), most = argument(argc, argv, 2, 40);
    double tol = argc > 3 ? atof(argv[3]) : 0.004, last = 0;
    double *u = new_double((size_t)n * n, 1), *v = new_double((size_t)n * n, 2);
    printf("%d\n", relax(n, (double (*)[n])u, (double (*)[n])v, most, tol, &last));
    printf("%a\n", last);
    show_double("u", u, (size_t)n * n);
    show_double("v", v, (size_t)n * n);
    u[n + 1] += 0.5;
    printf("%d\n", settle(n, u, v, most, tol));
    show_double("u", u, (size_t)n * n);
    show_double("v", v, (size_t)n * n);
    return 0;
}
