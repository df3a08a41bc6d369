// Numbers of points in space have three digits, and the number of points is what a variable begins with.
// args: 9 7 6 4 ; 5 8 11 3
// form: loops: const int size = nx * ny * nz;
// form: loops: int z = k / (nx * ny), rest = k % (nx * ny), y = rest / nx, x = rest % nx;
#include "dump.h"

/* The new value of a point. */
static double point(int k, int nx, int ny, int nz, const double *a)
{
    int x = k % nx;
    int rows = k / nx;
    int y = rows % ny, z = rows / ny;
    if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1)
        return a[k];
    return 0.5 * a[k] + 0.1 * (a[k - 1] + a[k + 1] + a[k - nx] + a[k + nx] + a[k - nx * ny]) + 0.01 * a[k + nx * ny];
}

int main(int argc, char **argv)
{
    int nx = argc > 1 ? atoi(argv[1]) : 9, ny = argc > 2 ? atoi(argv[2]) : 7, nz = argc > 3 ? atoi(argv[3]) : 6;
    int steps = argc > 4 ? atoi(argv[4]) : 4;
    const int size = nx * ny * nz;
    double *a = new_double(size, 1), *b = new_double(size, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int k = 0; k < size; k++)
            b[k] = point(k, nx, ny, nz, a);
        for (int k = 0; k < size; k++) {
            int z = k / (nx * ny), rest = k % (nx * ny), y = rest / nx, x = rest % nx;
            if (z > 0 && y < ny - 1)
                a[(z * ny + y) * nx + x] = b[k - nx * ny] + b[k + nx] * z;
        }
    }
    show_double("a", a, size);
    show_double("b", b, size);
    return 0;
}
