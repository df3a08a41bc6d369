// Pointers are exchanged behind the first sweep of a step, before the host looks at one, prints and sets borders' numbers.
// args: 19 23 41 ; 8 9 3 ; 33 17 0
// form: loops that the host keeps: double inflow = tide(t);
#include "dump.h"

static double tide(int t)
{
    printf("tide of %d\n", t);
    return 1.0 / (1 + t / 8);
}

static void swap(double **a, double **b)
{
    double *tmp = *a;
    *a = *b;
    *b = tmp;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), m = argument(argc, argv, 2, 23), steps = argument(argc, argv, 3, 41);
    double *h = new_double((size_t)n * m, 1), *next = new_double((size_t)n * m, 2);
    double *u = new_double((size_t)n * m, 3), *unew = new_double((size_t)n * m, 4);
    double dt = 0.125;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                next[i * m + j] = h[i * m + j] - dt * (u[i * m + j] - u[i * m + j - 1]);
                unew[i * m + j] = u[i * m + j] - dt * (h[(i + 1) * m + j] - h[i * m + j]);
            }
        swap(&h, &next);
        swap(&u, &unew);
        if (t % 9 == 4) {
            printf("%d: %.17g %.17g\n", t, h[m + 2], next[m + 2]);
            if (t > 30)
                break;
        }
        double inflow = tide(t);
        for (int j = 1; j < m - 1; j++) {
            h[j] = h[m + j] * inflow;
            u[j] = -u[m + j];
        }
    }
    show_double("h", h, (size_t)n * m);
    show_double("u", u, (size_t)n * m);
    show_double("next", next, (size_t)n * m);
    show_double("unew", unew, (size_t)n * m);
    return 0;
}
