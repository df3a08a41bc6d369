// A square grid whose rows are as long as one of two sizes says, or the other.
// args: 20 7 ; 33 3 ; 3 0
// notes: the device runs this nest only where `m == n`
// form: subscripts: b[j * m] = 1; b[i * n + m - 1] = 2;
#include "dump.h"

static void heat(int n, int m, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
        for (int i = 0; i < n; i++) {
            const int j = n - 1 - i;
            b[j * m] = 1; b[i * n + m - 1] = 2;
        }
        double *other = a;
        a = b;
        b = other;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n * n, 1), *b = new_double(n * n, 2);
    heat(n, n, steps, a, b);
    show_double("a", a, n * n);
    show_double("b", b, n * n);
    return 0;
}
