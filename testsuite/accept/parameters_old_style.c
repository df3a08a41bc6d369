// Parameters declared behind the parentheses hide globals of other types.
// cflags: -Wno-implicit-int
#include "dump.h"

int n = 8;
double k = 0.5;

void scale(a, b, n, k) double *a, b[]; double n;
{
#pragma stencil
    for (int i = 0; i < 11; i++)
        b[i] = a[i] * n + k / 2;
}

int main(void)
{
    double a[11], b[11];
    fill_double(a, 11, 7);
    scale(a, b, 0.5, 3);
    show_double("b", b, 11);
    return n + (int)k - 8;
}
