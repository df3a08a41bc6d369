// Conditions in which a step stands behind what it does not change: a number, a variable.
// args: 20 30 ; 9 7 ; 5 0 ; 33 50
// form: loops that the host keeps: if (1e-3 > change(n, a, b))
// form: loops that the host keeps: while (tol < fabs(d = change(n, a, b))) {
#include <math.h>
#include "dump.h"

static double change(int n, double *a, double *b)
{
    double most = 0;
    for (int i = 1; i < n - 1; i++) {
        b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        if (fabs(b[i] - a[i]) > most)
            most = fabs(b[i] - a[i]);
    }
    for (int i = 1; i < n - 1; i++)
        a[i] = b[i];
    return most;
}

static int settle(int n, double *a, double *b, double tol, int most)
{
    double d;
    int it = 0;
#pragma stencil
    while (tol < fabs(d = change(n, a, b))) {
        printf("%a\n", d);
        if (++it >= most)
            return -1;
    }
    return it;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), most = argument(argc, argv, 2, 30), it;
    double *a = new_double((size_t)n, 1), *b = new_double((size_t)n, 2);
#pragma stencil
    for (it = 0; it < most; it++) {
        if (1e-3 > change(n, a, b))
            break;
        if (it % 7 == 0)
            printf("%d\n", it);
    }
    printf("%d\n", it);
    a[0] += 1;
    printf("%d\n", settle(n, a, b, 0.01, most));
    show_double("a", a, (size_t)n);
    show_double("b", b, (size_t)n);
    return 0;
}
