// Short loops that `break` leaves, on a condition on the place, on data or on both: their iterations are written out.
// form: loops: if (i == 0 || i == n - 1) break;
// form: loops: if (most > 1.5) break;
// args: 37 5 ; 20 4 ; 33 1 ; 16 0
#include "dump.h"

enum { Q = 5 };

static double limited(const double *u, int i)
{
    double sum = 0;
    for (int k = -2; k <= 2; k++) {
        if (sum > 1.0)
            break;
        sum += 0.3 * u[i + k];
    }
    return sum;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *f = new_double(Q * n, 1), *g = new_double(Q * n, 2), *u = new_double(n, 3), *v = new_double(n, 4);
    int *taken = calloc(n, sizeof *taken);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            u[i] = 0;
            for (int k = 0; k < Q; k++) {
                if (i == 0 || i == n - 1) break;
                g[k * n + i] = 0.5 * (f[k * n + i - 1] + f[k * n + i + 1]);
                u[i] += g[k * n + i];
            }
        }
        for (int i = 2; i < n - 2; i++) {
            double most = 0;
            int k;
            for (k = 0; k < Q; k++) {
                if (k == 2)
                    continue;
                most += u[i - 1] * f[k * n + i];
                if (most > 1.5) break;
                if (k == 3 && most > 1)
                    break;
            }
            taken[i] = k;
            v[i] = limited(u, i) - most;
        }
        for (int k = 0; k < Q; k++)
            for (int i = 0; i < n; i++)
                f[k * n + i] = g[k * n + i] + 0.01 * v[i];
    }
    show_double("f", f, Q * n);
    show_double("g", g, Q * n);
    show_double("u", u, n);
    show_double("v", v, n);
    show_int("taken", taken, n);
    return 0;
}
