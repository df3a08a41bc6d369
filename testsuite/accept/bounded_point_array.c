// Loops whose length the command line says go over arrays of the point's own, whose declarations say how far that may be.
// args: 50 3 1 ; 41 0 0 ; 64 5 2
// notes: the device runs this nest only where `m <= 5 && f <= 2 && f >= 0`
// form: bodies: for (int k = -f; k <= f; k++)
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 50), m = argument(argc, argv, 2, 3), f = argument(argc, argv, 3, 1);
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    for (int t = 0; t < 5; t++) {
        for (int i = 2; i < n - 2; i++) {
            double q[5] = {a[i - 2], a[i - 1], a[i], a[i + 1], a[i + 2]}, s = 0;
            for (int k = 0; k < m; k++)
                s += 0.1 * q[k];
            for (int k = -f; k <= f; k++)
                s += 0.3 * q[k + 2];
            for (int k = f; k <= 6; k++) {
                if (k < 5)
                    s += 0.01 * q[k];
                else
                    s += 0.5;
            }
            b[i] = s;
        }
        double *tmp = a;
        a = b;
        b = tmp;
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
