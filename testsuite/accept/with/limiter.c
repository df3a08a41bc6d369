/* A point function of ../with_point_function.c, which has a `static` function of the same name as one here. */
#include "limiter.h"

static float scaled(float x)
{
    return 0.5f * x;
}

float limiter(const float *u, int i, int n)
{
    float slope = u[i + 1] - u[i - 1];
    if (i < 2 || i > n - 3)
        return 0;
    if (slope * (u[i + 1] - u[i]) <= 0)
        return scaled(slope);
    return slope - scaled(u[i]);
}

void extremes(const float *u, int i, float *low, float *high)
{
    *low = u[i] < u[i + 1] ? u[i] : u[i + 1];
    *high = u[i] < u[i + 1] ? u[i + 1] : u[i];
}
