// The host changes counts that steps fold beside sums, of which bounds are enough until it asks for them: what it has made of
// the counts stays.
// args: 70 80 12 0 ; 70 80 11 0 ; 70 80 40 0.5 ; 9 11 12 0.01 ; 70 80 1 0
// form: sums, maxima and counts over points: count = -count;
#include <math.h>
#include "dump.h"

static int n, m;

static double relaxed(const double *a, int i, int j)
{
    return 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
}

int main(int argc, char **argv)
{
    n = argument(argc, argv, 1, 70), m = argument(argc, argv, 2, 80);
    int steps = argument(argc, argv, 3, 12), count = 0, t = 0;
    double tol = argc > 4 ? atof(argv[4]) : 0, sum = 0, *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 1);
#pragma stencil
    for (int s = 0; s < steps; s++) {
        count = 0;
        sum = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                b[i * m + j] = relaxed(a, i, j);
                sum += fabs(b[i * m + j]);
                count += b[i * m + j] > 0.5;
            }
        double *tmp = a;
        a = b;
        b = tmp;
        if (s % 6 == 0)
            printf("%a\n", a[m + 1]);
        if (s % 2 == 1)
            count = s;
    }
    printf("%d %a\n", count, sum);
#pragma stencil
    do {
        count = 0;
        sum = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                b[i * m + j] = relaxed(a, i, j);
                sum += (b[i * m + j] - a[i * m + j]) * (b[i * m + j] - a[i * m + j]);
                count += b[i * m + j] > 0.5;
            }
        double *tmp = a;
        a = b;
        b = tmp;
        if (t % 2 == 1)
            count = -count;
        if (t % 5 == 4)
            printf("%d %a\n", count, sum);
    } while (sum > tol && ++t < steps);
    printf("%d %d %a\n", t, count, sum);
    show_double("a", a, (size_t)n * m);
    return 0;
}
