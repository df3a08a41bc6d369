// A source that the host computes and prints between the sweeps of a step, which need it.
// args: 41 30 ; 40 7 ; 9 1
// form: loops that the host keeps: pulse = exp(-0.5 * x * x); ex[n / 2] += pulse; printf("%5.1f %a\n", time, pulse);
#include <math.h>
#include "dump.h"

static void radiated(int n, int steps, float *ex, float *hy)
{
    float low_1 = 0, low_2 = 0, time = 0, pulse, x;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        time = time + 1;
        for (int i = 1; i < n; i++)
            ex[i] = ex[i] + 0.5 * (hy[i - 1] - hy[i]);
        x = (20.0 - time) / 6.0;
        pulse = exp(-0.5 * x * x);
        ex[n / 2] += pulse;
        printf("%5.1f %a\n", time, pulse);
        ex[0] = low_2;
        low_2 = low_1;
        low_1 = ex[1];
        for (int i = 0; i < n - 1; i++)
            hy[i] = hy[i] + 0.5 * (ex[i] - ex[i + 1]);
    }
    printf("%a %a\n", low_1, low_2);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 5);
    float *ex = new_float(n, 1), *hy = new_float(n, 2);
    radiated(n, steps, ex, hy);
    show_float("ex", ex, n);
    show_float("hy", hy, n);
    return 0;
}
