// Histories with a row for each time step whose border is stored in the row that a step reads, after it was computed: the steps run one
// by one. Rows in one block and behind pointers, columns, every other row, and a first row that all steps read.
// form: time levels: u[t][0] = left + t;
// form: time levels: h[t + 2][i] = 0.5 * (h[t][i - 1] + h[t][i + 1])
// args: 9 6 ; 3 1 ; 2 4 ; 17 12 ; 5 0
#include "dump.h"

static void heat(int n, int steps, double left, double r, double u[steps + 1][n])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        u[t][0] = left + t;
        u[t][n - 1] = 0;
        for (int i = 1; i < n - 1; i++)
            u[t + 1][i] = u[t][i] + r * (u[t][i + 1] - 2 * u[t][i] + u[t][i - 1]);
    }
}

static void columns(int n, int steps, double *u)
{
    int m = steps + 1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        u[t] = u[(n - 1) * m + t] = 0.5 * t;
        for (int i = 1; i < n - 1; i++)
            u[i * m + t + 1] = 0.25 * (u[(i - 1) * m + t] + 2 * u[i * m + t] + u[(i + 1) * m + t]);
    }
}

static void behind_pointers(int n, int steps, float **u)
{
    int t;
#pragma stencil
    for (t = 0; t < steps; t++) {
        u[t][0] = 0;
        u[t][n - 1] = u[t][n - 2];
        for (int i = 1; i < n - 1; i++)
            u[t + 1][i] = u[t][i] + 0.125f * (u[t][i + 1] - 2 * u[t][i] + u[t][i - 1]);
    }
    printf("%d\n", t);
}

static void other_rows(int n, int steps, double h[steps + 1][n])
{
#pragma stencil
    for (int t = 0; t + 2 <= steps; t += 2) {
        for (int i = 1; i < n - 1; i++)
            h[t + 2][i] = 0.5 * (h[t][i - 1] + h[t][i + 1]) + 0.125 * h[0][i];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 9), steps = argument(argc, argv, 2, 6);
    size_t size = (size_t)n * (steps + 1);
    double *u = new_double(size, 1);
    heat(n, steps, 1.5, 0.25, (double(*)[n])u);
    show_double("heat", u, size);
    columns(n, steps, u);
    show_double("columns", u, size);
    other_rows(n, steps, (double(*)[n])u);
    show_double("rows", u, size);
    float **rows = malloc((steps + 1) * sizeof *rows);
    for (int t = 0; t <= steps; t++)
        rows[t] = new_float((size_t)n, t + 2);
    behind_pointers(n, steps, rows);
    for (int t = 0; t <= steps; t++)
        show_float("row", rows[t], (size_t)n);
    return 0;
}
