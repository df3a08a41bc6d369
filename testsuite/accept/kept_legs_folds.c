// One leg of a step folds what its points give; the host looks at it behind the step, and once in the next one.
// args: 19 23 ; 8 9 ; 40 17
#include <math.h>
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), m = argument(argc, argv, 2, 23), steps = 0;
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    double change = 1e9, rate = 0.5;
#pragma stencil
    while (steps < 60) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
        if (steps % 9 == 5)
            printf("in step %d, behind a change of %a\n", steps, change);
        if (steps % 16 == 15) {
            double sum = 0;
            for (int i = 0; i < n * m; i++)
                sum += b[i];
            printf("sum %a\n", sum);
        }
        rate = 0.5 + 0.125 * (steps % 20 / 5);
        change = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                double by = rate * (b[i * m + j] - a[i * m + j]);
                change = fmax(change, fabs(by));
                a[i * m + j] += by;
            }
        steps++;
        if (steps % 7 == 3)
            printf("%d %a\n", steps, change);
    }
    printf("%d %a %a\n", steps, change, rate);
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
