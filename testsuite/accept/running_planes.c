// One subscript runs through planes, rows and cells of a box, by strides that the program assigns to variables.
// form: subscripts: idx += 2 * stride_y;
// form: subscripts: stride_x = ny * nz; stride_y = nz;
// args: 7 6 5 9 ; 3 3 3 1 ; 8 4 3 2
#include "dump.h"

static int nx, ny, nz, stride_x, stride_y, cells;
static double *electric, *magnetic;

static void begin(int x, int y, int z)
{
    nx = x;
    ny = y;
    nz = z;
    stride_x = ny * nz;
    stride_y = nz;
    cells = nx * ny * nz;
    electric = new_double((size_t)cells, 1);
    magnetic = new_double((size_t)cells, 2);
}

static void update_magnetic(double rate)
{
    int idx = 0;
    for (int i = 0; i < nx - 1; i++) {
        for (int j = 0; j < ny - 1; j++) {
            for (int k = 0; k < nz - 1; k++) {
                magnetic[idx] += rate * (electric[idx + stride_y] - electric[idx + stride_x] + electric[idx + 1]);
                idx++;
            }
            idx++;
        }
        idx += stride_y;
    }
}

static void update_electric(double rate)
{
    int idx = 1 + stride_x + stride_y;
    for (int i = 1; i < nx - 1; i++) {
        for (int j = 1; j < ny - 1; j++) {
            for (int k = 1; k < nz - 1; k++) {
                electric[idx] += rate * (magnetic[idx - stride_y] - magnetic[idx - stride_x] + magnetic[idx - 1]);
                idx++;
            }
            idx += 2;
        }
        idx += 2 * stride_y;
    }
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 4, 9);
    begin(argument(argc, argv, 1, 7), argument(argc, argv, 2, 6), argument(argc, argv, 3, 5));
#pragma stencil
    for (int t = 0; t < steps; t++) {
        update_magnetic(0.125);
        update_electric(0.25);
    }
    show_double("electric", electric, (size_t)cells);
    show_double("magnetic", magnetic, (size_t)cells);
    return 0;
}
