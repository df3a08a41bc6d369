// The variable holds another value than the clause says, and one holds another than it begins with.
// args: 40 6 5 ; 19 3 1
// fallback: expected
#include "dump.h"

static int radius = 2;

static void stated(int n, double *a, const double *b, int reach)
{
#pragma stencil value(reach = 3)
    for (int i = 6; i < n - 6; i++) {
        double sum = 0;
        for (int k = -reach; k <= reach; k++)
            sum += b[i + k];
        a[i] = sum;
    }
}

static void told(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 6; i < n - 6; i++) {
            b[i] = 0;
            for (int k = -radius; k <= radius; k++)
                b[i] += 0.125 * a[i + k];
        }
        for (int i = 6; i < n - 6; i++)
            a[i] = b[i];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), steps = argument(argc, argv, 2, 6);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    radius = argument(argc, argv, 3, 5);
    stated(n, a, b, radius);
    told(n, steps, a, b);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
