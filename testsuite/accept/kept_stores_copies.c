// The host stores into what a step copies back, into buffers that the step chooses, planes of three dimensions, members and rows
// behind pointers, of several types. Where two arrays have the same on the device, they come to the host before.
// args: 12 9 40 ; 7 8 23 ; 10 14 77
// form: loops that the host keeps: for (int j = 0; j < m; j++) g.u[i][0][j] = drand48();
// form: loops that the host keeps: planes[t % 2][k][3] = (float)drand48();
#include "dump.h"
#include <string.h>

double drand48(void);

struct grid {
    int n, m;
    double (*u)[5][20], (*w)[5][20];
};

static void walls(struct grid *g, int m)
{
    for (int i = 0; i < g->n; i++)
        for (int j = 0; j < m; j++)
            g->u[i][4][j] = drand48();
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 12), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 40);
    struct grid g = {n, m, (void *)new_double((size_t)n * 100, 1), (void *)new_double((size_t)n * 100, 2)};
    float(*planes)[n][m] = (void *)new_float((size_t)2 * n * m, 3);
    int *marks = new_int((size_t)n, 4);
    double **rows = malloc((size_t)n * sizeof *rows), *values = new_double((size_t)n * m, 5), sum = 0;
    for (int i = 0; i < n; i++)
        rows[i] = values + (size_t)(n - 1 - i) * m;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int k = 1; k < 4; k++)
                for (int j = 1; j < m - 1; j++)
                    g.w[i][k][j] = 0.3 * (g.u[i - 1][k][j] + g.u[i][k - 1][j] + g.u[i][k + 1][j] + g.u[i][k][j - 1]) + g.u[i][k][j + 1];
        for (int i = 1; i < n - 1; i++)
            for (int k = 1; k < 4; k++)
                for (int j = 1; j < m - 1; j++)
                    g.u[i][k][j] = 0.5 * g.w[i][k][j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                planes[(t + 1) % 2][i][j] = 0.5f * (planes[t % 2][i - 1][j] + planes[t % 2][i][j + 1]) + marks[i];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                rows[i][j] = 0.1 * rows[i][j] + marks[i];
        if (t % 4 == 1)
            for (int i = 1; i < n; i++)
                for (int j = 0; j < m; j++)
                    g.u[i][0][j] = drand48();
        if (t % 7 == 2)
            walls(&g, m);
        if (t % 9 == 3)
            for (int i = 1; i < n - 1; i++)
                for (int k = 0; k < 5; k++)
                    g.u[i][k][m - 1] = drand48();
        if (t % 13 == 5)
            for (int j = 1; j < m - 1; j++)
                g.w[3][2][j] = drand48();
        if (t % 5 == 3)
            for (int k = 1; k < n; k++)
                planes[t % 2][k][3] = (float)drand48();
        if (t % 11 == 6)
            for (int i = 0; i < n; i++)
                marks[i] = (int)(3 * drand48());
        if (t % 12 == 7)
            rows[n / 2][2] = drand48();
        if (t % 15 == 8) {
            for (int i = 0; i < n; i++)
                for (int k = 0; k < 5; k++)
                    sum += g.u[i][k][m - 1];
            printf("%.17g\n", sum);
        }
    }
    show_double("u", &g.u[0][0][0], (size_t)n * 100);
    show_double("w", &g.w[0][0][0], (size_t)n * 100);
    show_float("planes", &planes[0][0][0], (size_t)2 * n * m);
    show_double("rows", values, (size_t)n * m);
    show_int("marks", marks, (size_t)n);
    return 0;
}
