// Macros around and in operands of conditions of the host's: where one makes more than the operand, the whole condition needs arrays.
// args: 60 25 ; 33 9
// cflags: -Wno-parentheses
#include "dump.h"
#define AND(x) && x
#define OR_ELSE(x, y) x || y
#define WHEN(t, x) if ((t) % 3 == 0 && x)
#define VALUE(i) a[i] > 0.2 || b[i] > 9
#define TWICE(x) ((x) + (x))
int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 60), steps = argument(argc, argv, 2, 20), c = 0;
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + 0.5 * a[i + 1];
        for (int i = 1; i < n - 1; i++) a[i] = 0.3 * b[i];
        if (t % 4 == 1 AND(a[3] > 0.01)) c++;
        if (t % 4 == 1 && VALUE(2)) c += 2;
        if (OR_ELSE(t % 5 == 1, a[1] > 0.2) && t % 2) c += 4;
        WHEN(t, a[2] > 0.1) c += 8;
        if (t % 6 == 2 && TWICE(a[5]) > 0.1) c += 16;
        if (t % 6 == 2 && TWICE(t % 4 == 2 && a[5] > 0.1) > 0) c += 32;
        if (t % 7 == 3) printf("%d\n", c);
    }
    printf("%d\n", c); show_double("a", a, n); show_double("b", b, n);
    return 0;
}
