// A copy onto the address of a parameter, which is a pointer: `sizeof u` is that of a pointer, too.
#include <string.h>

void relax(int steps, double u[100], double w[100])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < 99; i++)
            w[i] = 0.5 * (u[i - 1] + u[i + 1]);
        memcpy(&u, &w, 100 * sizeof(double));
    }
}

// remedy: s/memcpy(&u, &w/memcpy(u, w/
