// Maxima without signs that the host only compares: the upper halves of their bits are enough, unless a comparison is of a number
// with the same one.
// args: 70 80 1 0 ; 70 80 0.2 0 ; 70 80 0 1 ; 70 80 0 2 ; 70 80 0 3 ; 70 80 0 4 ; 70 80 0 5 ; 70 80 0 6 ; 9 11 0.3 0 ; 3 3 1 0
// form: sums, maxima and counts over points: change = fabs(b[i * m + j] - a[i * m + j]) > change ?
#include <float.h>
#include <math.h>
#include <string.h>
#include "dump.h"

// Some steps; the largest change of the last one.
static double change_of_step(int n, int m, int steps, double *a, double *b)
{
    double change = 0;
    for (int t = 0; t < steps; t++) {
        change = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
                change = fmax(change, fabs(b[i * m + j] - a[i * m + j]));
            }
        double *tmp = a;
        a = b;
        b = tmp;
    }
    return change;
}

// A number with the same upper half.
static double with_lower_half(double x, unsigned half)
{
    unsigned long long bits;
    memcpy(&bits, &x, sizeof bits);
    bits = bits >> 32 << 32 | half;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// Compared in the head alone; where `exactly` is the largest change of a step, that ends it.
static int solve(int n, int m, double tol, double exactly, double *a, double *b)
{
    double change = 1e9;
    int steps = 0;
#pragma stencil
    while (change > tol && steps < 60 && !(change <= exactly)) {
        change = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
                change = fmax(change, fabs(b[i * m + j] - a[i * m + j]));
            }
        double *tmp = a;
        a = b;
        b = tmp;
        steps++;
    }
    printf("%d %a\n", steps, change);
    show_double("a", a, (size_t)n * m);
    return steps;
}

// The same from a number on that the step begins with; the host compares a root of it.
static int settle(int n, int m, double tol, double least, double *a, double *b)
{
    double change;
    int steps = 0;
#pragma stencil
    do {
        change = -least;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                b[i * m + j] = 0.2 * (a[i * m + j] + a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
                change = fabs(b[i * m + j] - a[i * m + j]) > change ? fabs(b[i * m + j] - a[i * m + j]) : change;
            }
        change *= 2;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i * m + j] = b[i * m + j];
        steps++;
    } while (sqrt(change / n) > tol && steps < 50);
    printf("%d %a\n", steps, change);
    return steps;
}

// Looked at itself now and then, of another type.
static float relax(int n, int m, float tol, float *p, float *q)
{
    float most = 1;
    int steps = 0;
#pragma stencil
    while (most > tol && steps < 40) {
        most = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                q[i * m + j] = 0.25f * (p[(i - 1) * m + j] + p[(i + 1) * m + j] + p[i * m + j - 1] + p[i * m + j + 1]);
                most = fmaxf(most, fabsf(q[i * m + j] - p[i * m + j]));
            }
        float *tmp = p;
        p = q;
        q = tmp;
        if (++steps % 9 == 4)
            printf("%d %a\n", steps, most);
    }
    show_float("p", p, (size_t)n * m);
    return most;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 70), m = argument(argc, argv, 2, 80), kind = argument(argc, argv, 4, 0);
    double tol = argc > 3 ? atof(argv[3]) : 0.2, exactly = -1;
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    float *p = new_float((size_t)n * m, 3), *q = new_float((size_t)n * m, 4);
    double change = change_of_step(n, m, 9, new_double((size_t)n * m, 1), new_double((size_t)n * m, 2));
    if (kind == 1)
        exactly = change;
    if (kind == 2)
        exactly = nextafter(change, 0);
    if (kind == 3)
        exactly = with_lower_half(change, 0);
    if (kind == 4)
        exactly = with_lower_half(change, 0xffffffffu);
    if (kind == 5)
        a[n / 2 * m + 7] = p[n / 2 * m + 7] = NAN;
    if (kind == 6)
        a[n / 2 * m + 7] = p[n / 2 * m + 7] = INFINITY;
    printf("%d\n", solve(n, m, tol, exactly, a, b));
    printf("%d\n", settle(n, m, tol / 30, kind == 4 ? -0.3 : kind == 3 ? 1 : DBL_MIN, a, b));
    printf("%a\n", relax(n, m, (float)tol, p, q));
    return 0;
}
