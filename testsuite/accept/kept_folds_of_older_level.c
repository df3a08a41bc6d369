// What a step folds needs the values of two steps ago, which nothing else needs; there are fewer steps than a time tile has.
// args: 16 24 2 ; 16 24 1 ; 16 24 3 ; 17 9 8 ; 5 5 2
// form: sums, maxima and counts over points: change += fabs(a[i * m + j] - b[i * m + j]);
#include <math.h>
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 16), m = argument(argc, argv, 2, 24), steps = argument(argc, argv, 3, 2);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2), change = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        change = 0;
        for (int i = 2; i < n - 2; i++)
            for (int j = 2; j < m - 2; j++) {
                change += fabs(a[i * m + j] - b[i * m + j]);
                b[i * m + j] = 0.25 * (a[i * m + j] + a[i * m + j - 1] + a[i * m + j + 2] + a[(i - 2) * m + j]);
            }
        double *last = a;
        a = b;
        b = last;
        if (t % 3 == 1)
            printf("%d: %a\n", t, change);
    }
    printf("%a\n", change);
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
