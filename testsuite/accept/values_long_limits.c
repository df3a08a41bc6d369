// Limits of `double`, which headers spell as long constants that are converted, begin minima and maxima.
// args: 53 7 ; 20 4
// form: bodies: (double)2.5L
#include "dump.h"
#include <float.h>
#include <math.h>

static const double largest = DBL_MAX;

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 53), steps = argument(argc, argv, 2, 7);
    double u[n], v[n];
    fill_double(u, (size_t)n, 1);
    fill_double(v, (size_t)n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            double least = DBL_MAX, most = -DBL_MAX;
            for (int d = -1; d <= 1; d++) {
                least = u[i + d] < least ? u[i + d] : least;
                most = u[i + d] > most ? u[i + d] : most;
            }
            v[i] = (double)2.5L * least + 0.25 * most + (fabs(u[i]) > largest ? DBL_MIN : DBL_EPSILON);
        }
        for (int i = 1; i < n - 1; i++)
            u[i] = 0.4 * v[i];
    }
    show_double("u", u, n);
    show_double("v", v, n);
    return 0;
}
