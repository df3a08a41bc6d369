// Functions of the library of scalars that steps change by rules, in rules and in what is left; steps of two, backwards.
// args: 17 12 ; 12 1 ; 9 0
#include "dump.h"
#include <math.h>
int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 12);
    double *a = new_double(n, 1), *b = new_double(n, 2), time = 0.05, dt = 0.013, amp = 1.0, left = 0, f0 = 7.1;
    int t;
#pragma stencil
    for (t = steps; t > 0; t -= 2) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        left = amp * sin(2 * 3.14159 * f0 * time) * exp(-time);
        b[n / 2] += left;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i] + sin(exp(time)) + exp(time);
        amp = amp * cos(time);
        time += dt;
    }
    show_double("a", a, n);
    show_double("b", b, n);
    printf("%d %.17g %.17g %.17g\n", t, time, amp, left);
    return 0;
}
