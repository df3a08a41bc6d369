// Sums in any order, of numbers whose sum is exact in each: looked at after each step, behind the loop, and without steps.
// args: 70 80 40 ; 70 80 3 ; 3 4 5 ; 70 80 0
#include <math.h>
#include "dump.h"

// The sums of squares and of values.
static double spread(int n, int m, int steps, double *a, double *b)
{
    double err = 1, sum = 0;
    int t = 0;
#pragma stencil reduction(any_order)
    while (err > 0 && t < steps) {
        err = 0;
        sum = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                b[i * m + j] = fmax(fmax(a[(i - 1) * m + j], a[(i + 1) * m + j]), fmax(a[i * m + j - 1], a[i * m + j]));
                err += (b[i * m + j] - a[i * m + j]) * (b[i * m + j] - a[i * m + j]);
                sum -= b[i * m + j];
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i * m + j] = b[i * m + j];
        t++;
        if (t % 3 == 1)
            printf("%d %a %a\n", t, err, sum);
    }
    printf("%d %a\n", t, err);
    return sum;
}

static float total(int n, int steps, float *restrict a, float *restrict b)
{
    float sum = 2;
#pragma stencil reduction(any_order) name(folded_total)
    for (int t = 0; t < steps; t++) {
        sum = 1;
        for (int i = 1; i < n - 1; i++) {
            b[i] = a[i - 1] < a[i + 1] ? a[i - 1] : a[i + 1];
            sum += b[i];
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    return sum;
}

static double once(int n, double *restrict a, double *restrict b)
{
    double sum = 0;
#pragma stencil reduction(any_order)
    for (int i = 1; i < n - 1; i++) {
        b[i] = a[i] + a[i - 1];
        sum += b[i] * a[i];
    }
    return sum;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 70), m = argument(argc, argv, 2, 80), steps = argument(argc, argv, 3, 40);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    float *p = new_float((size_t)n * m, 3), *q = new_float((size_t)n * m, 4);
    for (int i = 0; i < n * m; i++) {
        a[i] = floor(8 * a[i]);
        p[i] = floorf(8 * p[i]);
    }
    printf("%a\n", spread(n, m, steps, a, b));
    printf("%a\n", total(n * m, steps, p, q));
    printf("%a\n", once(n * m, a, b));
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    show_float("p", p, (size_t)n * m);
    return 0;
}
