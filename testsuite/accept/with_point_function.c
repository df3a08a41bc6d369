// Functions of a point in another file, where a name means another function than here; they return early and through pointers.
// args: 29 6 ; 7 4 ; 5 0
// with: with/limiter.c
#include "dump.h"
#include "with/limiter.h"

static float scaled(float x)
{
    return 3 * x;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 29), steps = argument(argc, argv, 2, 5);
    float *u = new_float(n, 1), *v = new_float(n, 2);
#pragma stencil extent(u[0:n])
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            float low, high;
            extremes(u, i, &low, &high);
            v[i] = 0.25f * limiter(u, i, n) + scaled(low) - high;
        }
        for (int i = 1; i < n - 1; i++)
            u[i] = 0.125f * v[i];
    }
    show_float("u", u, n);
    show_float("v", v, n);
    return 0;
}
