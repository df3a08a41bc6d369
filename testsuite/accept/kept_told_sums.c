// The host compares a sum of squares between a sweep and what is done with it, prints it now and then, and gives later sweeps a weight.
// args: 70 40 0.01 ; 70 21 0 ; 20 60 0.003 ; 70 3 9
// form: loops that the host keeps: if (sqrt(sum / count) < tol) { printf("settled %d\n", k); break; }
// form: loops that the host keeps: weight = k < 8 ? 0.15 : 0.2;
#include <math.h>
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 70), most = argument(argc, argv, 2, 40), k = 0;
    double tol = argc > 3 ? atof(argv[3]) : 0.01, count = (double)n * n, weight, sum = -1;
    double *p = new_double((size_t)n * n, 1), *r = new_double((size_t)n * n, 2);
#pragma stencil
    do {
        sum = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                int at = i * n + j;
                r[at] = 0.01 * i - (4 * p[at] - p[at - n] - p[at + n] - p[at - 1] - p[at + 1]);
                sum += r[at] * r[at];
            }
        if (k % 11 == 5)
            printf("%d: %a\n", k, sum);
        if (sqrt(sum / count) < tol) { printf("settled %d\n", k); break; }
        weight = k < 8 ? 0.15 : 0.2;
        if (k % 13 == 12)
            continue;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                p[i * n + j] += weight * r[i * n + j];
        if (k % 9 == 4)
            printf("%d: %a %a\n", k, sqrt(sum), p[n + 1]);
    } while (++k < most);
    printf("%d %a\n", k, sum);
    show_double("p", p, (size_t)n * n);
    show_double("r", r, (size_t)n * n);
    return 0;
}
