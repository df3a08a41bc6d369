// Loops that fold stand under conditions that hold in all steps or in none, in functions.
// args: 33 9 1 3 ; 33 9 0 3 ; 50 60 2 3 ; 50 60 1 3 ; 7 5 3 3 ; 3000 3 2 40
// form: sums, maxima and counts over points: if (kind & 1) { double sum = 0; for
#include "dump.h"
#include <math.h>

static void step(int n, int kind, double *u, double *old, double *error)
{
    for (int i = 0; i < n; i++)
        old[i] = u[i];
    for (int i = 1; i < n - 1; i++)
        u[i] = 0.5 * (old[i - 1] + old[i + 1]) + 0.125;
    if (kind & 1) {
        double sum = 0;
        for (int i = 1; i < n - 1; i++)
            sum += fabs(u[i] - old[i]);
        *error = sum;
    } else if (n > 8) {
        *error = 0.5 * *error;
    }
}

static void bound(int n, int kind, const double *u, double *most, int *count)
{
    if (kind > 1) {
        *most = 0;
        for (int i = 1; i < n - 1; i++)
            if (u[i] > *most)
                *most = u[i];
        if (n < 100)
            for (int i = 1; i < n - 1; i++)
                *count += u[i] > 0.25;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 33), steps = argument(argc, argv, 2, 9), kind = argument(argc, argv, 3, 1), t;
    double *u = new_double((size_t)n, 1), *old = new_double((size_t)n, 2), enough = argument(argc, argv, 4, 3) * 0.25;
    double error = 1000, most = 1;
    int count = 0;
#pragma stencil
    for (t = 0; t < steps; t++) {
        step(n, kind, u, old, &error);
        bound(n, kind, u, &most, &count);
        if (error < enough || most > 4)
            break;
    }
    printf("%d %a %a %d\n", t, error, most, count);
    show_double("u", u, (size_t)n);
    show_double("old", old, (size_t)n);
    return 0;
}
