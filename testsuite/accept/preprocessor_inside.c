// Conditional compilation inside the nest.
// args: 37 5 ; 20 4
// flags: -DDAMPED -UUPWIND
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
#ifdef UPWIND
        for (int i = 1; i < n; i++)
            b[i] = a[i] - 0.5 * (a[i] - a[i - 1]);
#else
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1])
#if defined(DAMPED) && !defined(NOTHING)
                   * 0.99
#endif
                ;
#endif
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
#define LOCAL_TO_THE_NEST 1
    }
    show_double("a", a, n + 1 - LOCAL_TO_THE_NEST);
    show_double("b", b, n);
    return 0;
}
