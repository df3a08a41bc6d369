// The host begins a number of each step and prints it, and what a step makes of it is needed behind the loop alone.
// args: 19 17 ; 5 3 ; 4 0
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), steps = argument(argc, argv, 2, 17);
    double *u = new_double(n, 1), *v = new_double(n, 2), last = 0, total = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double sum = 3;
        printf("step %d begins with %g\n", t, sum);
        for (int i = 1; i < n - 1; i++) {
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
            sum += u[i];
        }
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i];
        last = sum;
        total += sum;
    }
    printf("%a %a\n", last, total);
    show_double("u", u, n);
    show_double("v", v, n);
    free(u);
    free(v);
    return 0;
}
