// Loops over flat arrays that begin and end in a row, beside loops over rows and columns and over planes.
// form: loops: j = i * m + 1; j < i * m + m - 1
// args: 12 9 7 ; 3 4 2 ; 7 2 5 ; 1 6 3 ; 6 6 0
#include "dump.h"
int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 12), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 7);
    double *a = new_double(n * m, 1), *b = new_double(n * m, 2);
    double *c = new_double(n * n * m, 3), *d = new_double(n * n * m, 4);
    int j;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (j = i * m + 1; j < i * m + m - 1; j++)
                b[j] = 0.25 * (a[j - m] + a[j + m] + a[j - 1] + a[j + 1]) + j % m;
        for (int i = 1; i < n - 1; i++)
            for (int k = 1; k < m - 1; k++)
                a[i * m + k] = b[i * m + k];
        for (int i = 0; i < n; i++)
            for (int k = i * m; k < (i + 1) * m; k += 2)
                b[k] *= 0.5;
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int k = i * n * m + m; k < (i + 1) * n * m - m; k += m)
                for (int l = k + 1; l < k + m - 1; l++)
                    d[l] = c[l] + 0.1 * (c[l - n * m] + c[l + m] + c[l + 1] - 3 * c[l]);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < m; l++)
                    c[(i * n + k) * m + l] = d[(i * n + k) * m + l];
    }
    show_double("a", a, n * m); show_double("b", b, n * m);
    show_double("c", c, n * n * m); show_double("d", d, n * n * m);
    return 0;
}
