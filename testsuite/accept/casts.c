// Casts between integers, float and double, of elements, of sums and of loop variables.
// args: 37 5 ; 20 4
#include "dump.h"

typedef unsigned char byte;

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = (float)a[i - 1] + (double)(float)(a[i + 1] * 0.3) + (int)(10.0 * a[i])
                   + (double)i / n + (float)t / 3 + (byte)(i * 40) * 1e-3 + (short)70000 * 1e-6;
        for (int i = 1; i < n - 1; i++)
            a[i] = (long)(b[i] * 1e6) * 1e-7 - (unsigned)(i % 3);
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
