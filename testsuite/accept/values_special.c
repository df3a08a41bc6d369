// Signed zeros, infinities, NaNs and denormal numbers in the data, double and float.
// args: 41 5 ; 40 3
#include "dump.h"
#include <float.h>
#include <math.h>

static double special(int k)
{
    static const double values[] = {0.0, -0.0, 1.0, -1.0, DBL_MIN, -DBL_MIN, DBL_MIN / 1024, DBL_MAX, -DBL_MAX};
    int which = (int)(11 * (noise(k) + 0.5));
    if (which == 9)
        return k % 2 ? INFINITY : -INFINITY;
    if (which == 10)
        return k % 3 ? 5e-324 : NAN;
    return values[which];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 41), steps = argument(argc, argv, 2, 5);
    double a[n], b[n];
    float x[n], y[n];
    for (int i = 0; i < n; i++) {
        a[i] = special(i);
        b[i] = special(n + i);
        x[i] = i % 3 ? (float)special(2 * n + i) : FLT_MIN / (float)(i + 2);
        y[i] = -0.0f;
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            b[i] = a[i] * 0.5 + a[i + 1] * -0.25;
            y[i] = x[i] * 0.5f - x[i - 1] * 0.25f;
        }
        for (int i = 1; i < n - 1; i++) {
            a[i] = fabs(b[i]) < 1.0 ? -b[i] : b[i - 1] == b[i - 1] ? b[i + 1] * 0.0 : 0.0;
            x[i] = y[i];
        }
    }
    show_double("a", a, n);
    show_double("b", b, n);
    show_float("x", x, n);
    show_float("y", y, n);
    return 0;
}
