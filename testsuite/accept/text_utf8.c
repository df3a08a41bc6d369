// Comments in UTF-8: λ = Δt/Δx², ünïcödé, 熱方程式.
// args: 37 5
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2), lambda = 0.2; /* λ */
#pragma stencil
    for (int t = 0; t < steps; t++) { /* ∂u/∂t = λ ∂²u/∂x² */
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i] + /* λ */ lambda * (a[i - 1] - 2 * a[i] + a[i + 1]); // → b
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
