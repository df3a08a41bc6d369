// Other files may call the function, which a header declares.
#include "include/work_space.h"

double u[40];

void relax(void)
{
    static double next[40];
    for (int i = 1; i < 39; i++)
        next[i] = u[i - 1] + u[i];
    for (int i = 1; i < 39; i++)
        u[i] = 0.5 * next[i];
}

void run(int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        relax();
}

// remedy: s/    static double next/    double next/
