// Real arithmetic, cut to an integer, sets the bounds of loops, the length of rows, the distance of a neighbour and a condition.
// args: 24 6 ; 4 3 ; 60 1 ; 2 0
// form: loops: i < (int)floor(length / width) - 1
#include <math.h>

#include "dump.h"

static const double width = 0.25, start = 2.0 / 0.9;

struct domain {
    float height, cell;
};

static void relax(int n, double length, double rows[][(int)(length / width)])
{
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        for (int j = 0; j < (int)(length / width); j++)
            rows[i][j] = 0.5 * rows[i][j] + j;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 24), steps = argument(argc, argv, 2, 6);
    double length = 0.25 * n + 0.01;
    struct domain domain = {0.5f * n + 0.1f, 0.5f};
    double *a = malloc(sizeof *a * n * n), *b = malloc(sizeof *b * n * n);
    fill_double(a, n * n, 1);
    fill_double(b, n * n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < (int)floor(length / width) - 1; i++)
            for (int j = 1; j < (int)(domain.height / domain.cell) - 1; j++)
                b[i * n + j] = 0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]);
        for (int i = (int)start - 1; i <= n - 1 - (int)sqrt(length * 0.1 + 1); i++)
            for (int j = 1; j < n - 1; j++)
                if (j != (int)(0.5 * length / width))
                    a[i * n + j] = b[i * n + j] + 0.125 * b[(i - (int)(start / 2)) * n + j];
    }
    relax(n, length, (double(*)[(int)(length / width)])b);
    show_double("a", a, n * n);
    show_double("b", b, n * n);
    free(a);
    free(b);
    return 0;
}
