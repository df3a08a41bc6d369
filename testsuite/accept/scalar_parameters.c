// Scalars of many types computed before the nest, also from each other and in a division.
// args: 37 5 ; 20 4
#include "dump.h"

static const double alpha = 0.1;
static double omega;

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    double dx = 1.0 / (n + 1), dt = 0.4 * dx * dx;
    const float f = 0.3f;
    unsigned char c = 200;
    long big = 123456789012L;
    int negative = -3;
    omega = 1.25;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i] + dt * (a[i - 1] - 2.0 * a[i] + a[i + 1]) / (dx * dx) + f * alpha * omega
                   + (double)big / 1e13 + negative / 2 + (double)(c + c) / 1000;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
