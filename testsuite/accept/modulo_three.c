// Three time levels chosen by remainders of three, on a flat pointer.
// form: time levels: u[((t + 1) % 3) * n + i] = 2.0 * u[(t % 3) * n + i] - u[((t - 1) % 3) * n + i]
// args: 17 5 ; 20 6 ; 9 1
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *u = new_double((size_t)3 * n, 1);
#pragma stencil
    for (int t = 1; t <= steps; t++)
        for (int i = 1; i < n - 1; i++)
            u[((t + 1) % 3) * n + i] = 2.0 * u[(t % 3) * n + i] - u[((t - 1) % 3) * n + i]
                                       + 0.3 * (u[(t % 3) * n + i - 1] - 2.0 * u[(t % 3) * n + i]
                                                + u[(t % 3) * n + i + 1]);
    show_double("u", u, (size_t)3 * n);
    return 0;
}
