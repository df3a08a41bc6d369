// Two dimensions, several tiles of any size each way, and a long thin grid.
// args: 211 307 7 ; 3 2049 5 ; 1025 4 5
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 211), m = argument(argc, argv, 2, 307);
    int steps = argument(argc, argv, 3, 7);
    size_t size = (size_t)n * m;
    double *a = new_double(size, 1), *b = new_double(size, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = 0.2 * (a[i * m + j] + a[i * m + j - 1] + a[i * m + j + 1]
                                      + a[(i - 1) * m + j] + a[(i + 1) * m + j]);
        double *swap = a;
        a = b;
        b = swap;
    }
    show_double("a", a, size);
    show_double("b", b, size);
    return 0;
}
