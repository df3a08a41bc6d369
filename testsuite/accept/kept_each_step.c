// Scalars that the host gives another value in each step, as it keeps the loop: kernels of several steps need those of each.
// args: 24 60 ; 9 5000 ; 17 33
#include "dump.h"
#include <math.h>

/* A ramp that the host computes in front of each step, and a pulse that the driver makes of it. */
static void driven(int n, int steps, double *u, double *v)
{
    double time = 0, amp = 1, dt = 0.125, *swap;
    float ramp = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        time = t * dt;
        amp *= 0.97;
        ramp = ramp < 4 ? ramp + 0.3f : 0;
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]) + amp * (i > 3 ? ramp : -ramp);
        v[n / 2] += time < 2 ? sin(3 * time) : amp;
        swap = u;
        u = v;
        v = swap;
        if (t % 50 == 9)
            printf("%d %a %a\n", t, time, u[n / 2]);
    }
    printf("%a %a\n", time, amp);
    show_double("u", u, n);
}

/* What a step leaves behind goes into the next one, and the number of steps is not known. */
static void decaying(int n, int steps, double *a, double *b)
{
    double t = 0, dt = 0.5, scale = 1;
    int count = 0;
#pragma stencil
    while (t < steps * 0.25) {
        for (int i = 1; i < n - 1; i++)
            b[i] = scale * (a[i - 1] + a[i + 1]) * dt;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i] + exp(-t);
        t += dt;
        dt = count % 8 < 4 ? 0.5 : 0.25;
        scale = 1 / (1 + 0.01 * t);
        if (++count % 20 == 0)
            printf("%d %a\n", count, t);
    }
    show_double("a", a, n);
    show_double("b", b, n);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 24), steps = argument(argc, argv, 2, 60);
    driven(n, steps, new_double(n, 1), new_double(n, 2));
    decaying(n, steps, new_double(n, 3), new_double(n, 4));
    return 0;
}
