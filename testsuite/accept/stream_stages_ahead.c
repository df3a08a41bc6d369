// Rows of single precision in which several stages of a step load what is beside their domain, each some stages ahead.
// args: 9 30 61 ; 7 41 130 ; 8 5 6 ; 3 64 250
#include "dump.h"

/* Both arrays have borders of their own, until one takes all cells of the other. */
static void smooth(int n, int m, int steps, float a[n][m], float b[n][m])
{
#pragma stencil strategy(stream) time_tile(4) tile(1, 12) per_item(4) work_group(32, 1)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = 0.1f * a[i - 1][j - 1] + 0.15f * a[i - 1][j] + 0.1f * a[i - 1][j + 1] + 0.05f * a[i][j - 1]
                          + 0.2f * a[i][j] + 0.1f * a[i][j + 1] + 0.1f * a[i + 1][j - 1] + 0.05f * a[i + 1][j]
                          + 0.15f * a[i + 1][j + 1];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] = b[i][j];
    }
}

/* From one array into the other and back, in domains that begin and end at different cells. */
static void there_and_back(int n, int m, int steps, float p[n][m], float u[n][m])
{
#pragma stencil strategy(stream) time_tile(3) tile(1, 9) per_item(2) work_group(32, 2)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[i][j] = 0.1f * p[i - 1][j - 1] + 0.15f * p[i - 1][j] + 0.1f * p[i - 1][j + 1] + 0.05f * p[i][j - 1]
                          + 0.25f * p[i][j] + 0.1f * p[i][j + 1] + 0.1f * p[i + 1][j - 1] + 0.15f * p[i + 1][j + 1];
        for (int i = 1; i < n - 2; i++)
            for (int j = 3; j < m - 2; j++)
                p[i][j] = 0.05f * u[i - 1][j - 1] + 0.2f * u[i - 1][j] + 0.1f * u[i - 1][j + 1] + 0.15f * u[i][j - 1]
                          + 0.2f * u[i][j] + 0.1f * u[i][j + 1] + 0.1f * u[i + 1][j] + 0.1f * u[i + 1][j + 1];
    }
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 9);
    int n = argument(argc, argv, 2, 30);
    int m = argument(argc, argv, 3, 61);
    size_t count = (size_t)(n * m);
    float *a = new_float(count, 1), *b = new_float(count, 2);
    float *p = new_float(count, 3), *u = new_float(count, 4);
    smooth(n, m, steps, (void *)a, (void *)b);
    there_and_back(n, m, steps, (void *)p, (void *)u);
    show_float("a", a, count);
    show_float("b", b, count);
    show_float("p", p, count);
    show_float("u", u, count);
    free(a);
    free(b);
    free(p);
    free(u);
    return 0;
}
