// An array that the loop declares has values of the iteration, and steps are taken later.
#include <stdio.h>

void run(int steps, double u[64], double v[64])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double weights[2] = { 0.5, 0.1 * t };
        printf("%d\n", t);
        for (int i = 1; i < 63; i++)
            v[i] = weights[0] * u[i - 1] + weights[1] * u[i + 1];
        for (int i = 1; i < 63; i++)
            u[i] = v[i];
    }
}

// remedy: s/#pragma/    double weights[2];\n#pragma/
// remedy: s/double weights[2] = { 0.5, 0.1 * t };/weights[0] = 0.5, weights[1] = 0.1 * t;/
