/* A factor that the program sets and each call changes, with the name of another one. */
#include "two_factors.h"

static double factor;

void begin_to_fade(double first)
{
    factor = first;
}

void fade(int n, double u[n], double v[n])
{
    for (int i = 1; i < n - 1; i++)
        u[i] = factor * (v[i - 1] - v[i]);
    factor = 0.75 * factor + 0.125;
}

double faded(void)
{
    return factor;
}
