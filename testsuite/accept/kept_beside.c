// Beside the sweeps of a step stands what no nest can do: pointers are exchanged in some steps, hold another array, or another's
// middle; the place that a source has moves as the host says.
// args: 21 17 ; 9 7 ; 5 0 ; 40 33
// form: loops that the host keeps: if (t % 3 == 0) { double *spare = a; a = b; b = spare; }
// form: loops that the host keeps: if (t % 3 == 1) last = b;
// form: loops that the host keeps: a[at] += power;
#include "dump.h"

static double *lasting(int n, int steps, double *a, double *b)
{
    double *last = a;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i] + 0.125;
        if (t % 3 == 1)
            last = b;
    }
    return last;
}

static void sometimes(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        if (t % 3 == 0) {
            double *spare = a;
            a = b;
            b = spare;
        }
    }
}

static void middles(int n, int steps, double *a, double *b)
{
    double *p = b;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n / 2 - 1; i++)
            p[i] = 0.5 * (a[i - 1] + a[i + 1]);
        p = t % 2 ? b : a + n / 2;
    }
}

static void moving(int n, int steps, double *a, double *b)
{
    double x = 2, power = 1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        int at = (int)x % (n - 2) + 1;
        a[at] += power;
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i] + 0.25 * (a[i - 1] - 2 * a[i] + a[i + 1]);
        double *spare = a;
        a = b;
        b = spare;
        x += 0.75;
        if (t % 6 == 5)
            power *= 0.5;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 21), steps = argument(argc, argv, 2, 17);
    double *a = new_double((size_t)n, 1), *b = new_double((size_t)n, 2);
    printf("%d\n", lasting(n, steps, a, b) == b);
    show_double("a", a, (size_t)n);
    sometimes(n, steps, a, b);
    show_double("a", a, (size_t)n);
    show_double("b", b, (size_t)n);
    middles(n, steps, a, b);
    show_double("a", a, (size_t)n);
    show_double("b", b, (size_t)n);
    moving(n, steps, a, b);
    show_double("a", a, (size_t)n);
    show_double("b", b, (size_t)n);
    return 0;
}
