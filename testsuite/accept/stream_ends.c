// From the shortest streams to some with several parts: their ends are tiles of their own, and the last part may be halved.
// args: 4 3 4 5 6 8 ; 7 10 13 ; 6 17 24 ; 9 40
#include "dump.h"

/* Both arrays have borders of their own. */
static void drift(int n, int m, int steps, float a[n][m], float b[n][m])
{
#pragma stencil strategy(stream) time_tile(3) tile(40, 6) per_item(2) work_group(32, 2)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = 0.3f * a[i][j] + 0.2f * a[i - 1][j] + 0.1f * a[i + 1][j] + 0.15f * a[i][j - 1]
                          + 0.25f * a[i][j + 1];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
    }
}

/* In place; the second field's rows begin later and end earlier than the first one's, by more than a step reads. */
static void waves(int n, int m, int steps, double p[n][m], double u[n][m])
{
#pragma stencil strategy(stream) time_tile(2) tile(40, 8) per_item(4) work_group(32, 1)
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                u[i][j] = u[i][j] - 0.3 * (p[i + 1][j] - p[i][j]);
        for (int i = 7; i < n - 8; i++)
            for (int j = 1; j < m - 1; j++)
                p[i][j] = p[i][j] - 0.2 * (u[i][j] - u[i - 1][j] + u[i - 2][j + 1] - u[i + 1][j - 1]);
    }
}

/* Two cells are read to one side along the stream, one to the other. */
static void diffuse(int l, int n, int m, int steps, double *a, double *b)
{
#pragma stencil strategy(stream) time_tile(2) tile(1, 12, 5) per_item(2) work_group(32, 4)
    for (int t = 0; t < steps; t++) {
        for (int i = 2; i < l - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < m - 1; k++)
                    b[(i * n + j) * m + k] =
                        0.2 * a[(i * n + j) * m + k] + 0.1 * a[(i * n + j) * m + k + 1]
                        + 0.15 * a[(i * n + j) * m + k - 1] + 0.1 * a[((i - 2) * n + j) * m + k]
                        + 0.2 * a[((i + 1) * n + j) * m + k] + 0.1 * a[(i * n + j + 1) * m + k]
                        + 0.15 * a[(i * n + j - 1) * m + k];
        double *swap = a;
        a = b;
        b = swap;
    }
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 4), n = 19, m = 70;
    for (int k = 2; k < argc; k++) {
        int rows = atoi(argv[k]);
        size_t count = (size_t)(rows * m), cells = count * n;
        float *a = new_float(count, 1), *b = new_float(count, 2);
        double *c = new_double(count, 3), *d = new_double(count, 4);
        double *e = new_double(cells, 5), *f = new_double(cells, 6);
        printf("%d rows\n", rows);
        drift(rows, m, steps, (void *)a, (void *)b);
        show_float("a", a, count);
        show_float("b", b, count);
        waves(rows, m, steps, (void *)c, (void *)d);
        show_double("c", c, count);
        show_double("d", d, count);
        diffuse(rows, n, m, steps, e, f);
        show_double("e", e, cells);
        show_double("f", f, cells);
        free(a);
        free(b);
        free(c);
        free(d);
        free(e);
        free(f);
    }
    return 0;
}
