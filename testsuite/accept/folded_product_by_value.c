// A step as a function that makes a product over all points and has a loop of unknown length at each of them: the loops over the
// points are no such loops.
// args: 14 26 7 ; 60 90 3 ; 60 90 3 7
// notes: the device runs this nest only where `length <= 7`
// form: loops that the host keeps: *product *= 1 + 0.001 * a[i * m + j];
#include "dump.h"

static int length;

static void step(int n, int m, double *product, double *a, const double *b)
{
    *product = 1;
    for (int i = 3; i < n - 3; i++) {
        for (int j = 3; j < m - 3; j++) {
            double part[7], total = 0;
            for (int k = 0; k < 7; k++)
                part[k] = b[(i + 1) * m + j + k - 3];
            for (int k = 0; k < length; k++)
                total = total + part[k];
            a[i * m + j] = 0.125 * total;
            *product *= 1 + 0.001 * a[i * m + j];
        }
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 14), m = argument(argc, argv, 2, 26), steps = argument(argc, argv, 3, 7);
    double *a = new_double(n * m, 1), *b = new_double(n * m, 2), product = 0;
    length = argument(argc, argv, 4, 5);
#pragma stencil
    for (int t = steps; t > 0; t--) {
        step(n, m, &product, a, b);
        step(n, m, &product, b, a);
    }
    show_double("a", a, n * m);
    show_double("b", b, n * m);
    printf("%a\n", product);
    return 0;
}
