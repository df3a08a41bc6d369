// The host prints between steps whose points have as many neighbours as the command line says; the number of them is unsigned.
// args: 60 3 ; 40 0 ; 50 33
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 60);
    unsigned near = argument(argc, argv, 2, 3);
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    for (int t = 0; t < 12; t++) {
        for (int i = 0; i < n - 33; i++) {
            double sum = a[i];
            for (unsigned k = 0; k < near; k++)
                sum = 0.5 * sum + a[i + k];
            b[i] = sum;
        }
        for (int i = 0; i < n - 33; i++)
            a[i] = 0.75 * b[i];
        if (t % 4 == 1)
            printf("step %d: %.17g\n", t, a[n / 4]);
    }
    show_double("a", a, n); show_double("b", b, n);
    return 0;
}
