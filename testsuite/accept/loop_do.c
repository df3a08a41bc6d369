// A `do` that counts: its body runs before the first test, which would hold.
// form: loops: } while (t < steps);
// args: 5 12 ; 1 7 ; 6 9
#include "dump.h"

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5), n = argument(argc, argv, 2, 12), t = 0;
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    do {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        double *other = a;
        a = b;
        b = other;
        t++;
    } while (t < steps);
    printf("%d\n", t);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
