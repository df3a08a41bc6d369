// Scalars that an `if` on parameters assigns, or nobody: then they hold the constants that they held before the nest.
// args: 12 17 6 ; 23 9 11
// form: scalars from point to point: double dx = 0, dy = 0;
#include "dump.h"

enum mode { ALONG, ACROSS, BOTH };

static void spread(int n, int m, int steps, enum mode mode, double *a, double *b)
{
    const double weight = 0.25;
    double dx = 0, dy = 0;
    float more = -1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                double here = a[i * m + j];
                if (mode != ACROSS)
                    dx = a[i * m + j - 1] - 2 * here + a[i * m + j + 1];
                if (mode == ACROSS || mode == BOTH) {
                    dy = a[(i - 1) * m + j] - 2 * here + a[(i + 1) * m + j];
                    if (n > m)
                        more = here;
                }
                b[i * m + j] = here + weight * (dx + 0.5 * dy) + 0.001 * more;
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i * m + j] = b[i * m + j];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 12), m = argument(argc, argv, 2, 17), steps = argument(argc, argv, 3, 6);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    for (int mode = 0; mode < 3; mode++) {
        spread(n, m, steps, (enum mode)mode, a, b);
        show_double("a", a, (size_t)n * m);
        show_double("b", b, (size_t)n * m);
    }
    return 0;
}
