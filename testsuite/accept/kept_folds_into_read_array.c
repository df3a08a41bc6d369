// A sum that a step leaves in an element of an array which the steps only read: the original loops run.
// fallback: expected
// args: 13 20
#include "dump.h"

static int solve(int n, int most, double *u, const double *w, double *v, double *sum)
{
    int t;
    *sum = 0;
#pragma stencil
    for (t = 0; t < most; t++) {
        *sum = 0;
        for (int i = 1; i < n - 1; i++) {
            v[i] = 0.5 * (u[i - 1] + u[i + 1]) + 0.125 * w[i];
            *sum += v[i] * v[i];
        }
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i];
        if (*sum < 0.02)
            break;
    }
    return t;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 13), most = argument(argc, argv, 2, 20);
    double *u = new_double(n, 1), *v = new_double(n, 2), *w = new_double(n, 3);
    printf("%d\n", solve(n, most, u, w, v, &w[n / 3]));
    show_double("u", u, n);
    show_double("v", v, n);
    show_double("w", w, n);
    return 0;
}
