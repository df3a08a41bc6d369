// Pointers that a step declares before its sweeps, and that these move on from row to row, where the host keeps the loop.
// form: loops that the host keeps: double *row = a;
// args: 20 14 11 ; 9 6 4 ; 3 3 1 ; 12 5 0
#include <math.h>
#include "dump.h"
int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), m = argument(argc, argv, 2, 14), steps = argument(argc, argv, 3, 8);
    double *a = new_double(n * m, 1), *b = new_double(n * m, 2), *c = new_double(n * m, 3);
    double most = 0;
    int seen = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double *row = a;
        double k = 0.2, *out = b + m;
        double sum = 0;
        for (int i = 1; i < n - 1; i++) {
            const double *up = row + 1, *left = row + m, *center = row + m + 1, *down = row + 2 * m + 1;
            double *to = out + 1;
            for (int j = 1; j < m - 1; j++) {
                *to = k * (*center + *up + *left++ + *down);
                sum += fabs(*to - *center);
                up++; center++; down++; to++;
            }
            row += m;
            out += m;
        }
        if (t % 3 == 1) printf("%d\n", t);
        const double *from = b + m;
        for (int i = 1; i < n - 1; i++, from += m)
            for (int j = 1; j < m - 1; j++) a[i * m + j] = from[j];
        if (sum > most) { most = sum; seen++; }
    }
    printf("%d %a\n", seen, most);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        const double *from = b;
        int at = 0;
        for (int i = 0; i < n * m; i++) { c[at] = 0.5 * *from + at % 3; at++; from++; }
        for (int i = 0; i < n * m; i++) b[i] = c[i];
        if (t % 2) printf("%a\n", c[n]);
    }
    show_double("a", a, n * m); show_double("b", b, n * m); show_double("c", c, n * m);
    return 0;
}
