// Two steps in an iteration, by calls of one function, and a loop that counts by two.
// args: 17 9 ; 12 8 ; 9 0
#include "dump.h"
static void step(int n, double *to, const double *from) { for (int i = 1; i < n - 1; i++) to[i] = 0.25 * (from[i - 1] + 2 * from[i] + from[i + 1]); }
int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 9), t;
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    for (t = 0; t < steps; t += 2) { step(n, b, a); step(n, a, b); }
    printf("%d\n", t);
    show_double("a", a, n); show_double("b", b, n);
    return 0;
}
