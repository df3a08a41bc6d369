// A table of directions that holds something else than it is declared with: the original loops run.
// args: 17 5 ; 9 2
// fallback: expected
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    int shift[3] = {0, 1, -1}, *other = shift;
    other[2] = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                sum += a[i + shift[k]];
            b[i] = sum / 3;
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
