// Numbers that are none, infinities and their signs: the macros of math.h, on double and float.
// form: bodies: if (isnan(a[i - 1]) || isinf(a[i + 1]) < 0)
// args: 41
#include <math.h>
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 41);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    float *f = new_float(n, 3);
    const double odd[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0, 1.7976931348623157e308, -1.7976931348623157e308, 5e-324};
    const float single[] = {NAN, INFINITY, -INFINITY, 3.402823466e+38f, -3.402823466e+38f, 1e-45f};
    for (int i = 0; i < n; i++) {
        if (i % 2)
            a[i] = odd[i / 2 % 8];
        if (i % 3)
            f[i] = single[i / 3 % 6];
    }
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        b[i] = 0;
        if (isnan(a[i - 1]) || isinf(a[i + 1]) < 0)
            b[i] = 1;
        if (isfinite(a[i]) && !isnan(f[i]))
            b[i] += 2;
        b[i] += 4 * isinf(a[i]) + 16 * (isinf(f[i - 1]) > 0) + 32 * isfinite(f[i + 1]);
    }
    show_double("b", b, n);
    return 0;
}
