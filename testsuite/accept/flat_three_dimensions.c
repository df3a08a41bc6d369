// A flat pointer indexed (z*n+y)*m+x in one loop and z*n*m+y*m+x in the other.
// args: 7 9 11 5 ; 5 4 17 3 ; 3 3 3 2
#include "dump.h"

static void smooth(double *a, double *b, int p, int n, int m, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int z = 1; z < p - 1; z++)
            for (int y = 1; y < n - 1; y++)
                for (int x = 1; x < m - 1; x++)
                    b[(z * n + y) * m + x] =
                        0.4 * a[(z * n + y) * m + x]
                        + 0.1 * (a[(z * n + y) * m + x - 1] + a[(z * n + y) * m + x + 1]
                                 + a[(z * n + y - 1) * m + x] + a[(z * n + y + 1) * m + x]
                                 + a[((z - 1) * n + y) * m + x] + a[((z + 1) * n + y) * m + x]);
        for (int z = 1; z < p - 1; z++)
            for (int y = 1; y < n - 1; y++)
                for (int x = 1; x < m - 1; x++)
                    a[z * n * m + y * m + x] = b[z * n * m + y * m + x];
    }
}

int main(int argc, char **argv)
{
    int p = argument(argc, argv, 1, 7), n = argument(argc, argv, 2, 9);
    int m = argument(argc, argv, 3, 11), steps = argument(argc, argv, 4, 5);
    size_t size = (size_t)p * n * m;
    double *a = new_double(size, 1), *b = new_double(size, 2);
    smooth(a, b, p, n, m, steps);
    show_double("a", a, size);
    show_double("b", b, size);
    return 0;
}
