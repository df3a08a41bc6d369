// `while` loops that count like a `for`: around the steps, over space, at the beginning of the body.
// form: loops: while (t < steps) {
// args: 17 5 ; 20 4 ; 9 0
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5), t = 0;
    double *a = new_double(n, 1), *b = new_double(n, 2), time = 0;
#pragma stencil
    while (t < steps) {
        int i = 1;
        time += 0.1;
        while (i < n - 1) {
            b[i] = 0.5 * (a[i - 1] + a[i + 1]) + time;
            ++i;
        }
        for (i = 1; i < n - 1;) {
            a[i] = b[i] * t;
            i += 1;
        }
        t++;
    }
    printf("%d %.17g\n", t, time);
    t = 0;
#pragma stencil
    while (t != steps) {
        t += 1;
        for (int i = 0; i < n; i++)
            b[i] += t * a[i];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    printf("%d\n", t);
    return 0;
}
