// Loops that go on from what their variable holds already.
// form: loops: for (; t < steps; t++) {
// args: 17 5 2 ; 20 4 6 ; 9 0 0
#include "dump.h"

static void go_on(int n, int t, int steps, double *a, double *b)
{
#pragma stencil
    for (; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]) + t;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    printf("%d\n", t);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5), t;
    double *a = new_double(n, 1), *b = new_double(n, 2);
    go_on(n, argument(argc, argv, 3, 2), steps, a, b);
    t = 1;
#pragma stencil
    for (; t <= steps; t += 2)
        for (int i = 0; i < n; i++)
            a[i] += t * b[i];
    show_double("a", a, n);
    show_double("b", b, n);
    printf("%d\n", t);
    return 0;
}
