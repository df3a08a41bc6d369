// A step declares a variable for a register that the host needs behind it: the function that sweeps is written in the place of its call.
// form: loops that the host keeps: register double most = sweep(n, b, a);
// args: 37 9 ; 20 4 ; 16 0
#include "dump.h"

static double sweep(int n, double *a, double *b)
{
    double most = 0;
    for (int i = 1; i < n - 1; i++) {
        b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        most = b[i] > most ? b[i] : most;
    }
    return most;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 9), t;
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    for (t = 0; t < steps; t++) {
        register double most = sweep(n, b, a);
        for (int i = 0; i < n; i++)
            b[i] = a[i];
        if (most < 0.125)
            break;
    }
    printf("%d\n", t);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
