// Electromagnetics in three dimensions: six fields in place.
// args: 5 7 9 4 ; 4 4 4 3
#include "dump.h"

#define AT(f, i, j, k) f[((i) * m + (j)) * p + (k)]

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 5), m = argument(argc, argv, 2, 7), p = argument(argc, argv, 3, 9);
    int steps = argument(argc, argv, 4, 4);
    size_t size = (size_t)n * m * p;
    double *ex = new_double(size, 1), *ey = new_double(size, 2), *ez = new_double(size, 3);
    double *hx = new_double(size, 4), *hy = new_double(size, 5), *hz = new_double(size, 6);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                for (int k = 1; k < p; k++) {
                    AT(ex, i, j, k) += 0.5 * ((AT(hz, i, j, k) - AT(hz, i, j - 1, k)) - (AT(hy, i, j, k) - AT(hy, i, j, k - 1)));
                    AT(ey, i, j, k) += 0.5 * ((AT(hx, i, j, k) - AT(hx, i, j, k - 1)) - (AT(hz, i, j, k) - AT(hz, i - 1, j, k)));
                    AT(ez, i, j, k) += 0.5 * ((AT(hy, i, j, k) - AT(hy, i - 1, j, k)) - (AT(hx, i, j, k) - AT(hx, i, j - 1, k)));
                }
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++)
                for (int k = 0; k < p - 1; k++) {
                    AT(hx, i, j, k) -= 0.4 * ((AT(ez, i, j + 1, k) - AT(ez, i, j, k)) - (AT(ey, i, j, k + 1) - AT(ey, i, j, k)));
                    AT(hy, i, j, k) -= 0.4 * ((AT(ex, i, j, k + 1) - AT(ex, i, j, k)) - (AT(ez, i + 1, j, k) - AT(ez, i, j, k)));
                    AT(hz, i, j, k) -= 0.4 * ((AT(ey, i + 1, j, k) - AT(ey, i, j, k)) - (AT(ex, i, j + 1, k) - AT(ex, i, j, k)));
                }
    }
    show_double("ex", ex, size);
    show_double("ey", ey, size);
    show_double("ez", ez, size);
    show_double("hx", hx, size);
    show_double("hy", hy, size);
    show_double("hz", hz, size);
    return 0;
}
