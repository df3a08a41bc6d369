// Two branches store the same elements at places that are hard to describe.
// args: 64 ; 20 ; 5 ; 1
#include "dump.h"

static void step(int n, double h, double u[64][64], double v[64][64], double w[64][64], double x[64][64], double a[64][64])
{
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (((i == 1 || i == n - 2) && (j > 1 && j < n - 2)) || ((j == 1 || j == n - 2) && (i > 1 && i < n - 2)) ||
                (i == 0 && j < 5) || (j == 3 && i > 7) || (i == 9 && j > 11)) {
                u[i][j] = a[i][j] + h;
                v[i][j] = u[i][j] + 1;
                w[i][j] = v[i][j] * 2;
                x[i][j] = w[i][j] - u[i][j];
            } else {
                u[i][j] = a[i][j] - h;
                v[i][j] = u[i][j] - 1;
                w[i][j] = v[i][j] / 2;
                x[i][j] = w[i][j] + u[i][j];
            }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 64);
    double *all[5];
    for (int k = 0; k < 5; k++)
        all[k] = new_double(64 * 64, k);
    for (int k = 0; k < 3; k++)
        step(n, 0.25 * k, (double (*)[64])all[0], (double (*)[64])all[1], (double (*)[64])all[2], (double (*)[64])all[3],
             (double (*)[64])all[4]);
    for (int k = 0; k < 5; k++)
        show_double("array", all[k], 64 * 64);
    return 0;
}
