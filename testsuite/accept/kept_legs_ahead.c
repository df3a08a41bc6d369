// What all points come to is asked for after each step, and the host does something within steps: the device goes ahead all the same.
// args: 70 80 0.02 0 ; 70 80 0 1 ; 70 80 0 2 ; 70 80 0 3
#include <math.h>
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 70), m = argument(argc, argv, 2, 80), kind = argument(argc, argv, 4, 0), steps = 0;
    double tol = argc > 3 ? atof(argv[3]) : 0.05, change = 1e9, weight = 0.25;
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
#pragma stencil
    while (steps < 40 && change > tol) {
        change = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = weight * (a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j] + a[(i + 1) * m + j]);
        if (steps % 7 == 3)
            printf("half of %d\n", steps);
        if (kind == 1 && steps == 11)
            printf("%a\n", b[m + 5]);
        if (kind == 2 && steps == 13)
            break;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                change = fmax(change, fabs(b[i * m + j] - a[i * m + j]));
                a[i * m + j] = b[i * m + j];
            }
        steps++;
        if (kind == 3 && steps == 20)
            weight = 0.24;
    }
    printf("%d %a\n", steps, change);
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
