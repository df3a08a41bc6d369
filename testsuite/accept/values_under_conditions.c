// Elements that are read under conditions on data, and values of them that are used there and behind.
// args: 60 7 ; 7 1 ; 9 0
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 60), steps = argument(argc, argv, 2, 7);
    double *a = new_double(n, 1), *b = new_double(n, 2), *d = new_double(n, 3);
    int *kind = malloc(n * sizeof *kind);
    for (int i = 0; i < n; i++)
        kind[i] = i * 5 % 7 - 3;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            double old = b[i], x = 0, y = 1;
            if (kind[i] > 0) {
                double half = a[i - 1] * 0.5;
                b[i] = half + old;
                if (kind[i] > 1)
                    b[i] += a[i + 1];
                x = half;
                if (x > 0)
                    y = d[i] * x;
            }
            b[i] = b[i] * 0.9 + old * 0.1 - y;
            if (kind[i] > 1)
                d[i] = x + d[i] * 0.5;
            if (kind[i] < 100) {
                int large = kind[i] * 20000000;
                d[i] += (large - 7) * 1e-9;
            }
        }
        for (int i = 1; i < n - 1; i++) {
            if (kind[i] != 0 && b[i] > 0.1)
                a[i] = b[i] / kind[i];
            else if (b[i] < -0.2)
                a[i] = b[i];
        }
    }
    show_double("a", a, n);
    show_double("b", b, n);
    show_double("d", d, n);
    return 0;
}
