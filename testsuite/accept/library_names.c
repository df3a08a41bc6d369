// Names of the C library that no other library sees, or that replace what they are named after.
#include "dump.h"
#include <math.h>

static void write(const char *title, const double *values, int n)
{
    show_double(title, values, n);
}

double round(double x)
{
    return floor(x + 0.5);
}

int main(void)
{
    enum { n = 37 };
    double *a = new_double(n, 1), *b = new_double(n, 2), time = round(2.25);
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + time * a[i + 1];
    write("b", b, n);
    return 0;
}
