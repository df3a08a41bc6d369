// Statements that are never executed: a branch that no block takes, and a field that only such a statement would store.
// form: loops: } else if (o == 90) {
// notes: this statement is never executed
// args: 5 ; 4
#include "dump.h"

static void blocks(double *a, double *b, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int o = 0; o < 100; o += 20) {
            if (o == 0) {
                for (int i = 1 + o; i < o + 20; i++)
                    b[i] = a[i - 1] + a[i + 1];
            } else if (o == 90) {
                for (int i = o; i < o + 9; i++)
                    b[i] = 2 * a[i - 1];
            } else {
                for (int i = o; i < o + 20; i++)
                    b[i] = a[i - 1] - a[i + 1];
            }
        }
        double *swap = a;
        a = b;
        b = swap;
    }
}

static void relax(int n, int steps, double *a, double *b, double *c)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++) {
            if (i > n)
                c[i] = b[i];
            a[i] = b[i];
        }
    }
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5);
    double *a = new_double(101, 1), *b = new_double(101, 2), *c = new_double(101, 3);
    blocks(a, b, steps);
    show_double("a", a, 101);
    show_double("b", b, 101);
    relax(101, steps, a, b, c);
    show_double("a", a, 101);
    show_double("b", b, 101);
    show_double("c", c, 101);
    return 0;
}
