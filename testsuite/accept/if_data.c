// Conditions on values: limiters and masks, with statements in both branches.
// form: bodies: if (left * right <= 0.0) slope = 0.0; else if (left < right) {
// args: 17 9 5 ; 8 31 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    int *mask = new_int((size_t)n * m, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                double left = a[i * m + j] - a[i * m + j - 1];
                double right = a[i * m + j + 1] - a[i * m + j];
                double slope;
                if (left * right <= 0.0)
                    slope = 0.0;
                else if (left < right) {
                    slope = left;
                } else {
                    slope = right;
                }
                if (mask[i * m + j] > 0)
                    b[i * m + j] = a[i * m + j] - 0.3 * slope;
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                if (mask[(i + 1) * m + j] >= 0)
                    a[i * m + j] = b[i * m + j];
    }
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
