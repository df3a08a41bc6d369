// Sums in their order that the host only compares: bounds of them are enough, unless a comparison is of the very sum.
// args: 70 80 0.5 0 ; 70 80 0.05 0 ; 70 80 0.5 1 ; 70 80 0.002 2 ; 70 80 0 3 ; 9 11 0.3 0 ; 3 3 1 0 ; 70 80 0.2 4 ; 70 80 0.2 5
// form: sums, maxima and counts over points: while (sqrt(err / (n * m)) > tol
#include <math.h>
#include "dump.h"

// Some steps; the sum of the last one.
static double sum_of_step(int n, int m, int steps, double *a, double *b)
{
    double sum = 0;
    for (int t = 0; t < steps; t++) {
        sum = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
                sum += (b[i * m + j] - a[i * m + j]) * (b[i * m + j] - a[i * m + j]);
            }
        double *tmp = a;
        a = b;
        b = tmp;
    }
    return sum;
}

// Compared in the head, printed now and then and behind the loop. The sum itself, where `exactly` is one of a step, decides nothing.
static int solve(int n, int m, double tol, int kind, double exactly, double *a, double *b)
{
    double err = 1e9, most = 0;
    int steps = 0;
#pragma stencil
    while (sqrt(err / (n * m)) > tol && steps < 60 && !(err <= exactly)) {
        err = 0;
        most = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
                err += (b[i * m + j] - a[i * m + j]) * (b[i * m + j] - a[i * m + j]);
                most = fmax(most, fabs(b[i * m + j]));
            }
        double *tmp = a;
        a = b;
        b = tmp;
        steps++;
        if (kind == 1 && steps % 7 == 3)
            printf("%d %a %a\n", steps, err, most);
        if (kind == 2 && steps % 9 == 5)
            printf("%d: %a\n", steps, a[3 * m + 3]);
        if (kind == 3 && steps == 13)
            break;
    }
    printf("%d %a %a\n", steps, err, most);
    show_double("a", a, (size_t)n * m);
    return steps;
}

// Compared within the loop, root and mean taken by the step, of another type.
static float settle(int n, int m, float tol, int most, float *p, float *q)
{
    float mean = 0, root = 0;
    int t;
#pragma stencil
    for (t = 0; t < most; t++) {
        mean = root = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                float change = 0.2f * (p[(i - 1) * m + j] + p[(i + 1) * m + j] + p[i * m + j - 1] + p[i * m + j + 1]) - p[i * m + j];
                q[i * m + j] = p[i * m + j] + 0.8f * change;
                mean += fabsf(change);
                root += change * change;
            }
        mean /= n * m;
        root = sqrtf(root);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                p[i * m + j] = q[i * m + j];
        if (mean < tol) {
            printf("%d: %a %a\n", t, mean, root);
            break;
        }
        if (2 < root)
            printf("%d: much\n", t);
    }
    printf("%d %a\n", t, root);
    return mean;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 70), m = argument(argc, argv, 2, 80), kind = argument(argc, argv, 4, 0);
    double tol = argc > 3 ? atof(argv[3]) : 0.05;
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    float *p = new_float((size_t)n * m, 3), *q = new_float((size_t)n * m, 4);
    double exactly = sum_of_step(n, m, 9, new_double((size_t)n * m, 1), new_double((size_t)n * m, 2));
    printf("%d\n", solve(n, m, tol / 20, kind, kind == 4 ? exactly : kind == 5 ? nextafter(exactly, 0) : -1, a, b));
    if (kind == 3)
        p[n / 2 * m + 5] = NAN;
    printf("%a\n", settle(n, m, (float)tol / 100, 50, p, q));
    show_float("p", p, (size_t)n * m);
    return 0;
}
