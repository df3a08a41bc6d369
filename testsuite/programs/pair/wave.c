#include "fields.h"

void wave(int n, int steps, double *old, double *now)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            old[i] = 2.0 * now[i] - old[i] + WEIGHT * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
        double *swap = old;
        old = now;
        now = swap;
    }
}
