// Functions of the library, declared by its headers or by the program as the library has them, with converted arguments.
// cflags: -Wno-absolute-value
#include "dump.h"
#include <math.h>

double sqrt(double);

int main(void)
{
    extern double floor(double x);
    double ceil();
    double a[11], b[11];
    fill_double(a, 11, 3);
#pragma stencil
    for (int i = 0; i < 11; i++) {
        b[i] = floor(a[i] * 9) + sqrt(i) + ceil(a[i] * 7.0) + fabs(-i) + abs(-3L) + labs(-4 - (i * 1L << 40));
        b[i] += fminf(0.1, i) + __builtin_sqrt(2) + sizeof(fabsf(2)) + fmax(a[i], 1u);
    }
    show_double("b", b, 11);
    return 0;
}
