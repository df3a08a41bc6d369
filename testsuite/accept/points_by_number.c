// Loops through all points of a grid by one number, which quotients and remainders take apart.
// args: 17 13 5 ; 9 21 4 ; 1 6 3
// form: loops: for (int k = 0; k < nx * ny; k++) {
// form: loops: int y = k / nx, x = k % nx;
#include "dump.h"

static int last;

static void smooth(int nx, int ny, const double *a, double *b)
{
    for (int k = 0; k < nx * ny; k++) {
        int y = k / nx, x = k % nx;
        if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
            b[k] = 0.25 * (a[k - 1] + a[k + 1] + a[k - nx] + a[k + nx]);
        else
            b[k] = a[k];
    }
}

/* Round about in rows, without the first row and the last one. */
static void turn(int nx, int ny, double *a, const double *b)
{
    int k;
    for (k = nx; k < (ny - 1) * nx; ++k) {
        const int row = k / nx, column = k - row * nx;
        const int west = (column + nx - 1) % nx;
        a[k] = b[row * nx + west] + 0.5 * b[(row + 1) * nx + column] - row;
    }
}

int main(int argc, char **argv)
{
    int nx = argc > 1 ? atoi(argv[1]) : 17, ny = argc > 2 ? atoi(argv[2]) : 13, steps = argc > 3 ? atoi(argv[3]) : 5;
    double *a = new_double(nx * ny, 1), *b = new_double(nx * ny, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        smooth(nx, ny, a, b);
        turn(nx, ny, a, b);
        for (long k = 0; k < (long)nx * ny; k++) {
            if (k % nx == 0 || k / nx == ny - 1)
                continue;
            a[k] += 0.125 * b[k];
            last = (int)(k % nx);
        }
    }
    show_double("a", a, nx * ny);
    show_double("b", b, nx * ny);
    printf("%d\n", last);
    return 0;
}
