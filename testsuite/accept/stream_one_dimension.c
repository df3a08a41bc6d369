// Streamed tiles of one dimension: fields that feed each other, two time levels, a coefficient, an asymmetric reach.
// args: 700 23 ; 97 5 ; 4 3 ; 300 11 ; 193 10
#include "dump.h"

/* Yee's scheme with lossy borders that no sweep writes. */
static void yee(int n, int steps, double *e, double *h, const double *c)
{
#pragma stencil strategy(stream) time_tile(5) per_item(4) work_group(64)
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n - 1; i++)
            h[i] = h[i] + 0.5 * (e[i + 1] - e[i]);
        for (int i = 1; i < n - 1; i++)
            e[i] = e[i] + c[i] * (h[i] - h[i - 1]);
    }
}

/* Two time levels, and a reach of three cells to the left and one to the right. */
static void wave(int n, int steps, float u[3][n])
{
#pragma stencil strategy(stream) time_tile(3) per_item(8) work_group(96)
    for (int t = 0; t < steps; t++)
        for (int i = 3; i < n - 1; i++)
            u[(t + 2) % 3][i] = 1.5f * u[(t + 1) % 3][i] - u[t % 3][i] + 0.25f * (u[(t + 1) % 3][i - 3] + u[(t + 1) % 3][i + 1]);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 700), steps = argument(argc, argv, 2, 23);
    double *e = new_double((size_t)n, 1), *h = new_double((size_t)n, 2), *c = new_double((size_t)n, 3);
    float *u = new_float((size_t)(3 * n), 4);
    yee(n, steps, e, h, c);
    wave(n, steps, (float(*)[n])u);
    show_double("e", e, (size_t)n);
    show_double("h", h, (size_t)n);
    show_float("u", u, (size_t)(3 * n));
    free(e);
    free(h);
    free(c);
    free(u);
    return 0;
}
