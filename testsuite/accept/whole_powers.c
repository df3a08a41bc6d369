// Powers that compilers compute without the library.
// form: bodies: pow(a[i + 1], 2.0)
#include "dump.h"
#include <math.h>

#define SQUARE(x) pow(x, 2)

int main(void)
{
    double a[40], b[40];
    float c[40], d[40];
    int k = 3;
    fill_double(a, 40, 1);
    fill_float(c, 40, 2);
#pragma stencil
    for (int i = 1; i < 39; i++) {
        b[i] = SQUARE(a[i] - a[i - 1]) + pow(a[i + 1], 2.0) + pow(a[i], 1) - pow(k, 0.0) + pow(a[i], -1) * pow(a[i - 1], -1.);
        b[i] += 0 * pow(a[i], 3) + (fabs)(-a[i]);
        d[i] = powf(c[i], 2) + powf(c[i + 1], 2.0f) - powf(c[i - 1], 1.0) + (float)pow(c[i], 2) + powf(2 + c[i], -1);
    }
    b[0] = b[39] = 0;
    d[0] = d[39] = 0;
    show_double("b", b, 40);
    show_float("d", d, 40);
    return 0;
}
