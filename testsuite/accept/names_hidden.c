// Declarations of blocks and loop headers hide globals, enumeration constants and types of the same name.
// cflags: -Wno-type-limits
#include "dump.h"

typedef double value;
double n = 3;
static int m = 7;
enum { KIND = 5 };

static void f(double *a, double *b)
{
    int KIND = 2;
    typedef int value;
    value truncated = 1.5;
    double m = 0.5;
    for (double n = 0.25; n < 1; n += 1)
        for (int z = 1; z < 2; z++)
#pragma stencil
            for (int i = 0; i < 11; i++) {
                value local = 2.75;
                b[i] = a[i] * n + m + KIND + truncated + local + z;
                {
                    float m = 4, KIND = 0.5;
                    enum { LAST = 9 } z = LAST;
                    b[i] += m * KIND + (z - 10 < 0);
                }
                int j = z, z = 3;
                b[i] += j + z;
            }
}

int main(void)
{
    double a[11], b[11];
    fill_double(a, 11, 10);
    f(a, b);
    show_double("b", b, 11);
    return m - 7 + (int)n - 3;
}
