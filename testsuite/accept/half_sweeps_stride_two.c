// Two half sweeps in a time loop that steps by two.
// form: loops: for (t = 0; t < steps; t += 2)
// args: 17 5 ; 20 6 ; 9 1
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *u = new_double(n, 1), *v = new_double(n, 2);
    int t;
#pragma stencil
    for (t = 0; t < steps; t += 2) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5 * (u[i - 1] + u[i + 1]) + 0.01 * t;
        for (int i = 1; i < n - 1; i++)
            u[i] = 0.5 * (v[i - 1] + v[i + 1]);
    }
    printf("t = %d\n", t);
    show_double("u", u, n);
    show_double("v", v, n);
    return 0;
}
