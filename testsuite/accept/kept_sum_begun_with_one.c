// Each step declares two sums that begin with other numbers than zero, the first of them before its first sweep.
// args: 19 17 ; 5 3 ; 4 0
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), steps = argument(argc, argv, 2, 17);
    double *u = new_double(n, 1), *v = new_double(n, 2), kept = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double first = 1;
        for (int i = 1; i < n - 1; i++) {
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
            first += u[i];
        }
        kept = first;
        printf("%a\n", kept);
        double second = 2;
        for (int i = 1; i < n - 1; i++) {
            u[i] = v[i] + 0.25 * v[i - 1];
            second += u[i];
        }
        printf("%a\n", second);
    }
    printf("%a\n", kept);
    show_double("u", u, n);
    show_double("v", v, n);
    free(u);
    free(v);
    return 0;
}
