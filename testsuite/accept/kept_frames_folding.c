// Frames of several steps, each of which finds its own step in time between its sweeps; pointers are exchanged one after the other.
// args: 17 13 4 6 ; 17 13 1 1 ; 3 3 2 5 ; 9 12 3 0
// form: loops that the host keeps: for (int k = 0; k < each; k++) {
// form: loops that the host keeps: #define EXCHANGE(a, b, spare) (spare = a, a = b, b = spare)
#include <math.h>
#include "dump.h"
#define EXCHANGE(a, b, spare) (spare = a, a = b, b = spare)

static double **rows_of(double *values, int n, int m)
{
    double **rows = malloc((size_t)n * sizeof *rows);
    for (int i = 0; i < n; i++) rows[i] = values + (size_t)i * m;
    return rows;
}

static void frames(int n, int m, double **h, double **u, double **h1, double **u1, int count, int each)
{
    double **spare, time = 0;
#pragma stencil
    for (int f = 0; f < count;) {
        double dt = 0, mass = 0;
        for (int k = 0; k < each; k++) {
            for (int j = 1; j < m - 1; j++) {
                h[0][j] = h[1][j];
                u[0][j] = -u[1][j];
                h[n - 1][j] = h[n - 2][j];
                u[n - 1][j] = -u[n - 2][j];
            }
            dt = 1e30;
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++) {
                    double mine = 0.4 / (fabs(u[i][j]) + sqrt(h[i][j] * h[i][j] + 1));
                    if (mine < dt) dt = mine;
                }
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++) {
                    h1[i][j] = h[i][j] - dt * 0.5 * (u[i + 1][j] - u[i - 1][j]);
                    u1[i][j] = u[i][j] - dt * 0.5 * (h[i + 1][j] - h[i - 1][j]) + 0.1 * dt * (u[i][j + 1] - u[i][j - 1]);
                }
            EXCHANGE(h, h1, spare);
            EXCHANGE(u, u1, spare);
        }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) mass += h[i][j];
        time += dt;
        f++;
        printf("%d %.17g %.17g %.17g\n", f, dt, time, mass);
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 13);
    int count = argument(argc, argv, 3, 4), each = argument(argc, argv, 4, 6);
    double *all[4], **rows[4];
    for (int i = 0; i < 4; i++) {
        all[i] = new_double((size_t)n * m, i + 1);
        rows[i] = rows_of(all[i], n, m);
    }
    frames(n, m, rows[0], rows[1], rows[2], rows[3], count, each);
    for (int i = 0; i < 4; i++) show_double("array", all[i], (size_t)n * m);
    return 0;
}
