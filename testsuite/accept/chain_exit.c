// Nests follow each other, and the host may end the program between them: functions that run then find the arrays as they should be.
// args: 19 5 0 ; 19 5 1 ; 19 5 2 ; 19 5 7
// notes: what this nest computes stays on the device for the next one
// form: loops that the host keeps: if (last == 1) exit(0);
#include "dump.h"

static double *a, *b;
static int n;

static void report(void)
{
    show_double("a", a, (size_t)n * n);
    show_double("b", b, (size_t)n * n);
}

int main(int argc, char **argv)
{
    n = argument(argc, argv, 1, 19);
    int steps = argument(argc, argv, 2, 5), last = argument(argc, argv, 3, 1);
    a = new_double((size_t)n * n, 1), b = new_double((size_t)n * n, 2);
    atexit(report);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i * n + j] = 0.5 * (a[(i - 1) * n + j] + a[i * n + j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i * n + j] = b[i * n + j];
    }
    if (last == 1)
        exit(0);
#pragma stencil
    for (int t = 0; t < 4 * steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i * n + j] = 0.25 * b[i * n + j] + b[(i - 1) * n + j - 1];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i * n + j] = a[i * n + j];
        if (t == 2 * last)
            exit(0);
        printf("step %d\n", t);
    }
    return 0;
}
