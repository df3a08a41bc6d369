// A scalar is computed once a step, before the sweeps that use it.
// form: scalars by rule: double now = (t + 0.5) * dt;
// args: 37 5 ; 20 4
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    double dt = 0.01;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double now = (t + 0.5) * dt;
        double decay = 1.0 - now;
        for (int i = 1; i < n - 1; i++)
            b[i] = decay * 0.5 * (a[i - 1] + a[i + 1]) + now;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
