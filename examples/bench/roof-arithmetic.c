/* The roof of arithmetic: four independent chains of 64 multiplications and 64 additions that a
 * device may fuse, with 3 additions before and 4 operations after them: 519 flops a point and 2 elements.
 * Usage: roof-arithmetic [n [steps]] */
#include "../support.h"

#define CHAIN(v) v = v * factor + shift;
#define CHAINS CHAIN(p) CHAIN(q) CHAIN(r) CHAIN(s)
#define CHAINS_4 CHAINS CHAINS CHAINS CHAINS
#define CHAINS_16 CHAINS_4 CHAINS_4 CHAINS_4 CHAINS_4
#define CHAINS_64 CHAINS_16 CHAINS_16 CHAINS_16 CHAINS_16

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 1009, 1);
    int steps = argument(argc, argv, 2, 3, 0);
    real *a = allocate((size_t)n, sizeof(real));
    real *b = allocate((size_t)n, sizeof(real));
    const real factor = (real)0.984375, shift = (real)0.0078125;

    fill(a, 1, 1, n, 83);
    fill(b, 1, 1, n, 84);

    double start = seconds();
#pragma stencil strategy(direct)
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            real p = a[i];
            real q = p + shift;
            real r = q + shift;
            real s = r + shift;
            CHAINS_64
            b[i] = (real)0.25 * (p + q + r + s);
        }
        real *tmp = a;
        a = b;
        b = tmp;
    }
    report_time(start, n, steps);

    report("a", a, (size_t)n, sizeof(real));
    report("b", b, (size_t)n, sizeof(real));
    free(a);
    free(b);
    return 0;
}
