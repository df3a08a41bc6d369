/* Rician Denoising (Holewinski et al., ICS 2012): takes Rician noise off a magnetic resonance image
 * by total variation. Each step first finds g = 1 / |grad u|, then moves u along the diffusion that
 * g weights, pulled towards the measured image f through a rational approximation of the quotient
 * of Bessel functions I1(r) / I0(r).
 * 44 flops a point, SQR's difference counted once: 14 for g, 12 for r, 18 for u. Idiom: two
 * dependent sweeps a step, the flat index and its neighbours in scalar temporaries, sqrt and
 * division, a pointer swap of the image only.
 * Usage: rician-denoising [rows [columns [steps]]] */
#include <math.h>

#include "../support.h"

#define SQR(x) ((x) * (x))
#define EPSILON ((real)1e-4)
#define DT ((real)0.25)

static const real sigma = (real)0.15;
static const real lambda = (real)0.065;

/* Returns the buffer that holds the result; the other one holds the step before it. */
static real *denoise(int rows, int columns, int steps, real *u, real *next, real *g, const real *f)
{
    const real inv_sigma2 = 1 / SQR(sigma);
    const real pull = lambda * inv_sigma2;
    const real damping = 1 + DT * pull;

#pragma stencil
    for (int step = 0; step < steps; step++) {
        for (int y = 1; y < rows - 1; y++)
            for (int x = 1; x < columns - 1; x++) {
                const int here = y * columns + x;
                real squares = EPSILON + SQR(u[here] - u[here + 1]) + SQR(u[here] - u[here - 1]) +
                               SQR(u[here] - u[here + columns]) + SQR(u[here] - u[here - columns]);
                g[here] = 1 / sqrt(squares);
            }
        for (int y = 1; y < rows - 1; y++)
            for (int x = 1; x < columns - 1; x++) {
                const int here = y * columns + x;
                const int up = here - columns, down = here + columns;
                real r = u[here] * f[here] * inv_sigma2;
                r = (r * ((real)2.38944 + r * ((real)0.950037 + r))) /
                    ((real)4.65314 + r * ((real)2.57541 + r * ((real)1.48937 + r)));
                real numerator = u[here] + DT * (u[here + 1] * g[here + 1] + u[here - 1] * g[here - 1] +
                                                 u[down] * g[down] + u[up] * g[up] +
                                                 pull * f[here] * r);
                real denominator = damping + DT * (g[here + 1] + g[here - 1] + g[down] + g[up]);
                next[here] = numerator / denominator;
            }
        real *swap = u;
        u = next;
        next = swap;
    }
    return u;
}

int main(int argc, char **argv)
{
    int rows = argument(argc, argv, 1, 103, 1);
    int columns = argument(argc, argv, 2, 89, 1);
    int steps = argument(argc, argv, 3, 9, 0);
    size_t points = (size_t)rows * columns;
    real *f = allocate(points, sizeof(real));
    real *u = allocate(points, sizeof(real));
    real *next = allocate(points, sizeof(real));
    real *g = allocate(points, sizeof(real));

    fill(f, 1, rows, columns, 15);
    fill(g, 1, rows, columns, 16);
    memcpy(u, f, points * sizeof(real));
    memcpy(next, f, points * sizeof(real));

    double start = seconds();
    real *result = denoise(rows, columns, steps, u, next, g, f);
    report_time(start, points, steps);

    printf("the result is in %s\n", result == u ? "u" : "next");
    report("u", u, points, sizeof(real));
    report("next", next, points, sizeof(real));
    report("g", g, points, sizeof(real));
    free(f);
    free(u);
    free(next);
    free(g);
    return 0;
}
