// Loops that end on `!=`: with a step of one they end where an order would end them.
// form: loops: for (i = n - 2; i != 0; --i)
// args: 17 5 ; 30 2
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5), i;
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    for (int t = 0; t != steps; t++) {
        for (i = 1; i != n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (i = n - 2; i != 0; --i)
            a[i] = b[i];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    printf("%d\n", i);
    return 0;
}
