/* Two pointers that change places, loop variables that outlive their loops, and a variable that nothing reads later. */
#include "dump.h"

int main(void)
{
    int n = 57, steps = 5, t, i;
    double *a = new_double(n, 1), *b = new_double(n, 2), *first = a, left = a[0];
    printf("%g\n", left);
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 2; i < n - 1; i++) {
            left = a[i - 1];
            b[i] = 0.3 * left + 0.7 * a[i] - 0.1 * a[i + 1];
        }
        double *swap = a;
        a = b;
        b = swap;
    }
    printf("%d %d %d\n", t, i, a == first);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
