// Functions of the library are called with the indices of two and three loops over space.
// args: 17 23 5 ; 33 8 1 ; 2 40 7
// form: calls: exp(-((x - 0.5) * (x - 0.5) + (y - 0.25) * (y - 0.25)) / width)
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dump.h"

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 9, m = argc > 2 ? atoi(argv[2]) : 11, steps = argc > 3 ? atoi(argv[3]) : 3;
    double width = 0.125, h = 1.0 / (m + 1);
    double *u = malloc(n * m * sizeof *u), *v = malloc(n * m * sizeof *v);
    float *c = malloc(6 * n * m * sizeof *c), *d = malloc(6 * n * m * sizeof *d);
    int i, j, k, t;
    fill_double(u, n * m, 1);
    fill_double(v, n * m, 2);
    fill_float(c, 6 * n * m, 3);
    fill_float(d, 6 * n * m, 4);
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = m - 2; j > 0; j--) {
                double x = i * h, y = j * h;
                v[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
                v[i * m + j] += h * exp(-((x - 0.5) * (x - 0.5) + (y - 0.25) * (y - 0.25)) / width);
                if (j % 2 == 0)
                    v[i * m + j] -= log(x + y) * h;
            }
        for (j = 1; j < m - 1; j++)
            for (i = 1; i < n - 1; i++)
                u[i * m + j] = v[i * m + j] + 0.001 * pow(h * j, h * i);
    }
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                for (k = 1; k < 5; k++)
                    d[(i * m + j) * 6 + k] = 0.5f * (c[(i * m + j) * 6 + k - 1] + c[((i + 1) * m + j) * 6 + k])
                                             + 0.1f * sinf(0.1f * i * j + k) * cosf(0.2f * i + k);
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                for (k = 1; k < 5; k++)
                    c[(i * m + j) * 6 + k] = d[(i * m + j) * 6 + k];
    }
    show_double("u", u, n * m);
    show_double("v", v, n * m);
    show_float("c", c, 6 * n * m);
    show_float("d", d, 6 * n * m);
    printf("%d %d %d\n", i, j, t);
    return 0;
}
