// Several statements a sweep, later ones reading what earlier ones wrote at the point.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    size_t size = (size_t)n * m;
    double *a = new_double(size, 1), *b = new_double(size, 2), *c = new_double(size, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                b[i * m + j] = 0.5 * (a[i * m + j - 1] + a[i * m + j + 1]);
                c[i * m + j] = 0.5 * (a[(i - 1) * m + j] + a[(i + 1) * m + j]) - b[i * m + j];
                b[i * m + j] = b[i * m + j] + 0.25 * c[i * m + j];
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i * m + j] = b[i * m + j] - 0.125 * c[i * m + j];
    }
    show_double("a", a, size);
    show_double("b", b, size);
    show_double("c", c, size);
    return 0;
}
