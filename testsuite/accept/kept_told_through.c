// The host prints or keeps a sum that has an order between a sweep and the loop that copies it back, and never leaves the step.
// args: 70 40 ; 70 5 ; 20 33 ; 9 2
// form: loops that the host keeps: norms[t] = sqrt(norm / count);
// form: loops that the host keeps: printf("%d %a\n", t, mass);
#include <math.h>
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 70), steps = argument(argc, argv, 2, 40);
    double *u = new_double((size_t)n * n, 1), *v = new_double((size_t)n * n, 2);
    double norms[100] = { 0 }, count = (double)n * n, norm, mass, most;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        norm = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                int at = i * n + j;
                v[at] = u[at] + 0.2 * (u[at - n] + u[at + n] + u[at - 1] + u[at + 1] - 4 * u[at]);
                norm += (v[at] - u[at]) * (v[at] - u[at]);
            }
        norms[t] = sqrt(norm / count);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i * n + j] = v[i * n + j];
    }
    show_double("norms", norms, (size_t)steps);
    show_double("u", u, (size_t)n * n);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        mass = 0;
        most = -1;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                v[i * n + j] = 0.5 * u[(i - 1) * n + j] + 0.49 * u[i * n + j + 1];
                mass += v[i * n + j];
                most = fmax(most, fabs(v[i * n + j]));
            }
        if (t % 3 != 1)
            printf("%d %a\n", t, mass);
        most /= 2;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i * n + j] = v[i * n + j];
        if (t % 7 == 3)
            printf("%d %a %a\n", t, most, u[n + 1]);
    }
    show_double("u", u, (size_t)n * n);
    show_double("v", v, (size_t)n * n);
    return 0;
}
