// A pointer that a step declares for the loops before what the host does within it leads to the array that others name.
// args: 40 9 ; 20 1 ; 7 3 ; 3 2 ; 12 0
// form: loops that the host keeps: const double *from = c;
#include "dump.h"

static double *c;

static void count(unsigned *sum, const double *a, int n)
{
    int i;
    for (i = 3; i + 3 < n; i++)
        *sum += (unsigned)((int)a[i] & 63);
}

static void declared(int n, int steps, double *b)
{
    unsigned sum = 0;
    int alpha = 1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sum = 0;
        const double *from = c;
        for (int i = 3; i + 3 < n; i++)
            sum += (unsigned)((int)from[i] & 63);
        for (int i = 3; i + 3 < n; i++)
            c[i] = 0.5 * b[i - 1] + 0.75 * b[i + 1];
        if (t % 2 == 0)
            alpha = sum > 99 ? 1 : 2;
        for (int i = 3; i + 3 < n; i++)
            b[i] = 0.5 * c[i - 1] + alpha * 0.25 * c[i + 1];
    }
    printf("%u %d\n", sum, alpha);
}

static void called(int n, int steps, double *b)
{
    unsigned sum = 0;
    int alpha = 1, i;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sum = 0;
        count(&sum, c, n);
        for (i = 3; i + 3 < n; i++)
            c[i] = 0.5 * b[i - 1] + 0.75 * b[i + 1];
        if (t % 2 == 0)
            alpha = sum > 99 ? 1 : 2;
        for (i = 3; i + 3 < n; i++)
            b[i] = 0.5 * c[i - 1] + alpha * 0.25 * c[i + 1];
    }
    printf("%u %d\n", sum, alpha);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 5);
    double b[n], memory[n];
    c = memory;
    for (int i = 0; i < n; i++) {
        b[i] = 7 * i % 31;
        c[i] = 5 * i % 17;
    }
    declared(n, steps, b);
    called(n, steps, b);
    for (int i = 0; i < n; i++)
        printf("%a %a\n", b[i], c[i]);
    return 0;
}
