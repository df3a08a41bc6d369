// A sum over neighbours as far as a radius from the command line, in either direction, with the weights in a table.
// args: 50 2 ; 41 0 ; 64 5
// notes: the device runs this nest only where `r <= 16`
// form: bodies: for (k = -r; k <= r; k++)
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 50), r = argument(argc, argv, 2, 2), k;
    double *a = new_double(n * n, 1), *b = new_double(n * n, 2), *w = new_double(2 * r + 1, 3);
#pragma stencil
    for (int t = 0; t < 7; t++) {
        for (int i = r; i < n - r; i++)
            for (int j = r; j < n - r; j++) {
                double sum = 0, back = 0;
                for (k = -r; k <= r; k++) {
                    if (k == 0)
                        continue;
                    sum += w[k + r] * (a[(i + k) * n + j] + a[i * n + j + k]);
                }
                for (int l = i + r; l >= i - r; l--)
                    back = 0.5 * back + a[l * n + j];
                b[i * n + j] = 0.2 * sum - 0.1 * back;
            }
        double *tmp = a;
        a = b;
        b = tmp;
    }
    show_double("a", a, n * n); show_double("b", b, n * n);
    return 0;
}
