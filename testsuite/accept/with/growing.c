/* A factor that each call changes, with the name of another one. */
#include "two_factors.h"

static double factor = 0.5;

void grow(int n, double u[n], double v[n])
{
    for (int i = 1; i < n - 1; i++)
        v[i] = factor * (u[i - 1] + u[i + 1]);
    factor *= 1.01;
}

double grown(void)
{
    return factor;
}
