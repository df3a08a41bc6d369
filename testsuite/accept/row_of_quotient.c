// A point in the middle, at row `n / 2`: quotients of sizes by constants are rows and columns, with all types of sizes.
// args: 17 12 ; 8 9
#include "dump.h"
int main(int argc, char **argv)
{
    size_t nx = argument(argc, argv, 1, 17), ny = argument(argc, argv, 2, 12);
    int n = (int)nx, m = (int)ny, steps = 6;
    double *a = new_double(nx * ny, 1), *b = new_double(nx * ny, 2), *c = new_double(nx * ny, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (size_t i = 1; i < nx - 1; i++)
            for (size_t j = 1; j < ny - 1; j++)
                b[i * ny + j] = 0.25 * (a[i * ny + j - 1] + a[i * ny + j + 1] + a[(i - 1) * ny + j] + a[(i + 1) * ny + j]);
        b[nx / 2 * ny + ny / 2] += 0.5 * t;
        b[(nx / 2 + 1) * ny + ny / 3 - 1] = t;
        for (size_t i = 1; i < nx - 1; i++)
            for (size_t j = 1; j < ny - 1; j++)
                a[i * ny + j] = b[i * ny + j] + b[nx / 2 * ny + ny / 2];
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                c[i * m + j] = c[i * m + j] * 0.5 + 0.1;
        c[n / 2 * m + m / 2] = t;
        c[(n / 2 - 1) * m + (m - 1) / 2] = t;
    }
    show_double("a", a, nx * ny);
    show_double("b", b, nx * ny);
    show_double("c", c, nx * ny);
    return 0;
}
