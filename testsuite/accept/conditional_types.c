// A `?:` whose condition is a constant has the common type of both operands, and evaluates one of them.
// cflags: -Wno-sign-compare
#include "dump.h"
#include <math.h>

#define DEBUG 0

int main(void)
{
    double a[11], b[11];
    int c[11];
    fill_double(a, 11, 1);
#pragma stencil
    for (int i = 0; i < 11; i++) {
        b[i] = (1 ? i : 0.5) / 2 + (0 ? 1.5 : i) / 4 + (1 ? -1 : 2u) / 2;
        b[i] += (1 ? i : 1.5f) / 3 + (0 ? sqrt(2) : i) / 4 + (DEBUG ? printf("%d", i) : 7) / 2;
        b[i] += (1 ? a : b)[i] + *(0 ? &b[i] : &a[i]) + (1 ? (char)i : 'x' * 1.0) / 4;
        c[i] = (1 ? -1 : 0u) > 0;
        c[i] += (1 || printf("%d", i)) + (0 && a[i] > 1) + (i < 3 ? -1 : 1u) / 4;
    }
    show_double("b", b, 11);
    show_int("c", c, 11);
    return 0;
}
