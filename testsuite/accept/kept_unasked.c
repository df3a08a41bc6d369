// Sums that the host looks at now and then only, beside what it compares in each step.
// args: 5000 30 ; 300 25 ; 9 4
// form: sums, maxima and counts over points: low = fmin(low, b[i]); high = fmax(high, b[i]); sum += b[i]; negative |= b[i] < 0;
#include "dump.h"
#include <math.h>

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 5000), steps = argument(argc, argv, 2, 30), k = 0;
    double *a = new_double((size_t)n, 1), *b = new_double((size_t)n, 2), low, high, sum, squares, last = 0;
    int count, negative;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        low = 1e300, high = -1e300, sum = 0;
        count = 0, negative = 0;
        for (int i = 1; i < n - 1; i++) {
            b[i] = 0.5 * a[i] + 0.25 * (a[i - 1] - a[i + 1]);
            low = fmin(low, b[i]); high = fmax(high, b[i]); sum += b[i]; negative |= b[i] < 0;
            if (b[i] > 0.1)
                count++;
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        if (t % 10 == 7)
            printf("%d %a %a %a %d %d\n", t, low, high, sum / n, count, negative);
        if (high - low < 1e-3)
            break;
        k = t;
        if (t == 12)
            last = sum;
    }
    printf("%d %a %a %a %a %d %d\n", k, low, high, sum, last, count, negative);
    k = 0;
#pragma stencil
    do {
        squares = sum = 0;
        for (int i = 1; i < n - 1; i++) {
            b[i] = 0.5 * a[i] + 0.2 * (a[i - 1] + a[i + 1]) + 1e-3;
            squares += b[i] * b[i];
            sum += a[i] - b[i];
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        if (isnan(squares) || !isfinite(sqrt(squares / n)))
            a[1] = 0;
        if (k == 8)
            printf("%a %a\n", sum, squares);
        if (k == 15)
            a[n / 2] = -log(0.0);
        if (k == 20)
            a[n / 2] = a[n / 3] - a[n / 2];
        k++;
    } while (k < steps);
    printf("%a %a\n", sum, squares);
    show_double("a", a, (size_t)n);
    return 0;
}
