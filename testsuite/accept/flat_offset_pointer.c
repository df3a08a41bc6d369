// The pointers already point at the first interior element.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

static void smooth(double *a, double *b, int rows, int columns, int pitch, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                b[i * pitch + j] = 0.25 * (a[i * pitch + j - 1] + a[i * pitch + j + 1]
                                           + a[(i - 1) * pitch + j] + a[(i + 1) * pitch + j]);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                a[i * pitch + j] = b[i * pitch + j];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    smooth(a + m + 1, b + m + 1, n - 2, m - 2, m, steps);
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
