// One sweep in three dimensions, no time loop, two outputs.
// args: 7 9 11 ; 3 17 4
#include "dump.h"

int main(int argc, char **argv)
{
    int p = argument(argc, argv, 1, 7), n = argument(argc, argv, 2, 9), m = argument(argc, argv, 3, 11);
    size_t size = (size_t)p * n * m;
    double *a = new_double(size, 1), *gradient = new_double(size, 2), *average = new_double(size, 3);
#pragma stencil
    for (int z = 1; z < p - 1; z++)
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < m - 1; x++) {
                int k = (z * n + y) * m + x;
                gradient[k] = (a[k + 1] - a[k - 1]) * (a[k + m] - a[k - m]) * (a[k + n * m] - a[k - n * m]);
                average[k] = (a[k + 1] + a[k - 1] + a[k + m] + a[k - m]) / 4;
            }
    show_double("gradient", gradient, size);
    show_double("average", average, size);
    return 0;
}
