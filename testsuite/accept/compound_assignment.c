// Compound assignments to elements, ++ on an element.
// args: 37 5 ; 20 4
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    int *visits = new_int(n, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            b[i] = a[i - 1];
            b[i] += 0.5 * a[i + 1];
            b[i] *= 0.75;
            b[i] -= a[i] / 3;
            b[i] /= 1.5;
            visits[i]++;
            visits[i] ^= 3;
        }
        for (int i = 1; i < n - 1; i++)
            a[i] += b[i] * 0.1;
    }
    show_double("a", a, n);
    show_double("b", b, n);
    show_int("visits", visits, n);
    return 0;
}
