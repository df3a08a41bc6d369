// Sizes that are elements of arrays: of a global one, behind a pointer that a function gets, beside an integer field.
// form: loops: for (int j = 1; j < grid_points[1] - 1; j++)
// form: subscripts: return (int)(i * d[1] + j);
// args: 5 13 11 ; 1 4 9 ; 0 5 5
#include "dump.h"

static int grid_points[3];

static int at(const long *d, long i, long j)
{
    return (int)(i * d[1] + j);
}

static void smooth(const long *d, int steps, int *a, int *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < d[0] - 1; i++)
            for (int j = 1; j < d[1] - 1; j++)
                b[at(d, i, j)] = a[at(d, i - 1, j)] + a[at(d, i, j + 1)] * d[2];
        for (int i = 1; i < d[0] - 1; i++)
            for (int j = 1; j < d[1] - 1; j++)
                a[at(d, i, j)] = b[at(d, i, j)];
    }
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5);
    grid_points[0] = argument(argc, argv, 2, 13);
    grid_points[1] = argument(argc, argv, 3, 11);
    const int n = grid_points[0] * grid_points[1];
    long d[3] = {grid_points[0], grid_points[1], 3};
    double *u = new_double(n, 1), *v = new_double(n, 2);
    int *a = new_int(n, 3), *b = new_int(n, 4);
    for (int i = 0; i < n; i++)
        a[i] %= 100;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i <= grid_points[0] - 2; i++)
            for (int j = 1; j < grid_points[1] - 1; j++)
                v[i * grid_points[1] + j] = 0.5 * (u[(i - 1) * grid_points[1] + j] + u[i * grid_points[1] + j + 1]);
        double *swap = u;
        u = v;
        v = swap;
    }
    smooth(d, steps < 3 ? steps : 3, a, b);
    show_double("u", u, n);
    show_double("v", v, n);
    show_int("a", a, n);
    show_int("b", b, n);
    return 0;
}
