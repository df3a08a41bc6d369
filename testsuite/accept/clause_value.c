// A clause says what integers hold: how often inner loops run, of a parameter and of a global, an unsigned and a negative one.
// args: 40 6 ; 19 3
// form: loops: for (unsigned k = 0; k < count; k++)
#include "dump.h"

static int first;

static void smooth(int n, int steps, double *a, double *b, const double *weights, unsigned count, int last)
{
#pragma stencil value(count = 4, last = 2) value(first = -1)
    for (int t = 0; t < steps; t++) {
        for (int i = 4; i < n - 4; i++) {
            double w[4], sum = 0.5;
            for (unsigned k = 0; k < count; k++)
                w[k] = weights[k] * a[i + k];
            for (unsigned k = 0; k < count; k++)
                sum += w[k];
            for (int k = first; k <= last; k++)
                sum -= 0.25 * a[i + 2 * k];
            b[i] = sum / (count + 3);
        }
        for (int i = 0; i < n; i++)
            a[i] = b[i] - last;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), steps = argument(argc, argv, 2, 6);
    double *a = new_double(n, 1), *b = new_double(n, 2), *weights = new_double(9, 3);
    first = -argument(argc, argv, 9, 1);
    smooth(n, steps, a, b, weights, argument(argc, argv, 3, 4), argument(argc, argv, 4, 2));
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
