// Scalars that each step computes from those of the step before: a time, a decaying amplitude, a first step of its own.
// form: scalars by rule: time += dt;
// form: scalars by rule: if (t == 0) length = length + length;
// form: scalars by rule: if (t % 3 == 1) chosen = t + chosen; else
// args: 17 5 ; 20 4 ; 9 0 ; 12 1
#include "dump.h"
#include <math.h>

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5), t;
    double *a = new_double(n, 1), *b = new_double(n, 2);
    double time = 0.1, dt = 0.3, amplitude = 1.7, length = dt, offset;
    float slow = 0.5f;
    int chosen = 3;
    unsigned short small = 65533;
#pragma stencil
    for (t = 0; t < steps; t++) {
        offset = time;
        time += dt;
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.25 * (a[i - 1] + a[i + 1]) + length * amplitude + offset * time + chosen * slow + small;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i] - 0.1 * time;
        amplitude = amplitude * 0.9 + dt * length;
        slow *= 1.1f;
        small += 2;
        if (t == 0)
            length = length + length;
        if (t % 3 == 1)
            chosen = t + chosen;
        else
            chosen = chosen * 5 % 7;
    }
    show_double("a", a, n);
    show_double("b", b, n);
    printf("%d %.17g %.17g %.17g %.9g %d %d\n", t, time, amplitude, length, slow, chosen, small);
    return 0;
}
