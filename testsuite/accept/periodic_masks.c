// Neighbours around a torus whose sides are powers of two, by masks that only the program knows: of signed and unsigned sizes, a
// mask in a variable, behind a macro, before and behind what it masks.
// form: subscripts: a[i * n + ((j - 1) & (n - 1))]
// form: subscripts: size_t above = (y - 1) & (ny - 1);
// args: 8 5 ; 1 3 ; 2 4 ; 16 0
#include "dump.h"
#include <stdbool.h>

#define mod(N, M) ((N) & ((M) - 1))

static void smooth(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                b[i * n + j] = 0.2 * (a[i * n + ((j - 1) & (n - 1))] + a[i * n + mod(j + 1, n)] +
                                      a[((n - 1) & (i - 1)) * n + j] + a[mod(i + 1, n) * n + j] + a[i * n + j]);
        double *turned = a;
        a = b;
        b = turned;
    }
}

static void drift(size_t nx, size_t ny, int steps, double *u, double *v)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (size_t y = 0; y < ny; y++)
            for (size_t x = 0; x < nx; x++) {
                size_t above = (y - 1) & (ny - 1);
                v[y * nx + x] = u[y * nx + ((x - 1) & (nx - 1))] - 0.5 * u[above * nx + ((x + 1) & (nx - 1))];
            }
        for (size_t k = 0; k < nx * ny; k++)
            u[k] = v[k];
    }
}

static void live(int n, int steps, bool *now, bool *next)
{
    const int mask = n - 1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int near = 0;
                for (int k = -1; k <= 1; k++)
                    for (int l = -1; l <= 1; l++)
                        if (k || l)
                            near += now[((i + k) & mask) * n + ((j + l) & mask)];
                next[i * n + j] = near == 3 || (near == 2 && now[i * n + j]);
            }
        bool *turned = now;
        now = next;
        next = turned;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 8), steps = argument(argc, argv, 2, 5);
    double *a = new_double((size_t)n * n, 1), *b = new_double((size_t)n * n, 2);
    smooth(n, steps, a, b);
    show_double("a", a, (size_t)n * n);
    show_double("b", b, (size_t)n * n);
    double *u = new_double((size_t)2 * n * n, 3), *v = new_double((size_t)2 * n * n, 4);
    drift((size_t)2 * n, (size_t)n, steps, u, v);
    show_double("u", u, (size_t)2 * n * n);
    bool *now = malloc((size_t)n * n * sizeof *now), *next = malloc((size_t)n * n * sizeof *next);
    for (int k = 0; k < n * n; k++)
        now[k] = k * 7 % 5 < 2, next[k] = false;
    live(n, steps, now, next);
    for (int k = 0; k < n * n; k++)
        printf("%d%d\n", now[k], next[k]);
    return 0;
}
