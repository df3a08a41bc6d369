// Cells without a value hold NAN: means over those neighbours that have one.
// form: bodies: b[i] = count ? sum / count : NAN;
// args: 17 3 ; 30 8
#include <math.h>

#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 3);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    float *c = new_float(n, 3);
    for (int i = 0; i < n; i += 5)
        a[i] = NAN;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            double sum = 0;
            int count = 0;
            if (!isnan(a[i - 1])) {
                sum += a[i - 1];
                count++;
            }
            if (!isnan(a[i + 1])) {
                sum += a[i + 1];
                count++;
            }
            b[i] = count ? sum / count : NAN;
            c[i] = c[i] > 0.9f ? NAN : c[i] * 1.5f;
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = c[i] > 0.7f ? NAN : b[i];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    show_float("c", c, n);
    return 0;
}
