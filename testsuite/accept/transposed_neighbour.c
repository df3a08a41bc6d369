// The array that the time loop writes is read transposed: no constant distance, so one step a launch.
// args: 17 5 ; 30 2
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double(*a)[n] = (void *)new_double((size_t)n * n, 1), (*b)[n] = (void *)new_double((size_t)n * n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = 0.5 * (a[j][i] + a[i][j - 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j];
    }
    show_double("a", a[0], (size_t)n * n);
    show_double("b", b[0], (size_t)n * n);
    return 0;
}
