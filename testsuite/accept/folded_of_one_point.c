// Scalars that one element a step gives, beside those of all points: what a probe sums up, and the largest change.
// form: sums, maxima and counts over points: probe = probe + 0.25 * v[n / 2] * t;
// args: 20 7 ; 33 0 ; 9 40
#include "dump.h"
#include <math.h>
int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 7);
    double *u = new_double((size_t)n, 1), *v = new_double((size_t)n, 2), probe = 0, err, energy = 1;
    int t = 0;
#pragma stencil
    do {
        err = 0;
        for (int i = 1; i < n - 1; i++) v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        probe = probe + 0.25 * v[n / 2] * t;
        energy += v[2] * v[2];
        for (int i = 1; i < n - 1; i++) { err = fmax(err, fabs(u[i] - v[i])); u[i] = v[i]; }
        t++;
    } while (t < steps && err > 1e-3);
    printf("%d %a %a %a\n", t, err, probe, energy);
    show_double("u", u, (size_t)n); show_double("v", v, (size_t)n);
    free(u), free(v);
    return 0;
}
