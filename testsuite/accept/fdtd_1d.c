// Electromagnetics in one dimension: both fields updated in place, from each other.
// args: 37 5 ; 20 4 ; 2 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *e = new_double(n + 1, 1), *h = new_double(n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            e[i] = e[i] - 0.5 * (h[i] - h[i - 1]);
        for (int i = 0; i < n; i++)
            h[i] -= 0.7 * (e[i + 1] - e[i]);
    }
    show_double("e", e, n + 1);
    show_double("h", h, n);
    return 0;
}
