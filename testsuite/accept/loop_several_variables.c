// Loops that set and count several variables, the time among them.
// form: loops: for (i = 1, k = n - 2; i < last; i++, k--)
// args: 17 5 ; 20 4 ; 9 0
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2), *c = new_double(n, 3), time, dt = 0.2;
    int t, i, k, last;
#pragma stencil
    for (t = 0, time = 1.5, last = n - 1; t < steps; t++, time += dt) {
        for (i = 1, k = n - 2; i < last; i++, k--)
            b[i] = 0.5 * a[k] + time;
        for (int i = 1, e = n - 1; i < e; i++)
            a[i] = b[i] + c[e - 1];
        for (int m = 0, w = 1; m < 3; m++, w *= 2)
            a[m] = a[m] + w * c[m];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    printf("%d %.17g %d\n", t, time, last);
#pragma stencil
    for (i = 0, k = n - 1; i < n; i++, k--)
        b[i] = a[k];
    show_double("b", b, n);
    printf("%d %d\n", i, k);
    return 0;
}
