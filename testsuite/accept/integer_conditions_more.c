// Conditions and subscripts of more integers: truth values, negatives, shifts, masks from the left, quotients, constants.
// args: 24 3 9 ; 17 -2 4 ; 31 0 1
// fallback: allowed
// cflags: -Wno-sign-compare -Wno-parentheses -Wno-bool-compare -Wno-type-limits
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 24), m = argument(argc, argv, 2, 3), k = argument(argc, argv, 3, 9);
    unsigned u = (unsigned)m;
    unsigned char small = (unsigned char)(k + 250);
    double w = n;
    double *a = new_double(4 * n + 8, 1), *b = new_double(4 * n + 8, 2);
    double *c = new_double(2 * n * n, 3), *d = new_double(8 * n, 4);
#pragma stencil
    for (int t = 0; t < 3; t++) {
        for (int i = 2; i < n - 2; i++) {
            double s = 0;
            if ((i < 9) == 0)
                s += 1;
            if (((i > 4) != 0) == 1)
                s += 2;
            if ((!(i < n / 2)) == 1)
                s += 4;
            if ((long)(i == 7) || !(long)(i > 9) || !w)
                s += 8;
            if ((i > 4) == 1 || 0 != (i < 8))
                s -= 1;
            if ((i + u) << 1 < 2u * (unsigned)n)
                s += 16;
            if (-(unsigned)i + 5u == 0)
                s += 32;
            if (i - 3u == (unsigned)m)
                s += 64;
            if ((i << 1) > n)
                s += 128;
            if ((1 & i) == 1)
                s += 256;
            if (i / 2 * 2 == i)
                s += 512;
            if (i == m && i < n)
                s += 1024;
            if (i <= k || i >= n - 4)
                s += 2048;
            if (i != 2 && i - 3 < 10u)
                s += 4096;
            if (m > 2 ? i > 5 : i > 9)
                s += 8192;
            if ((m > 1) + i > 6)
                s += 16384;
            if (small)
                s += i & 3 ? 0.5 : 0.25;
            if ((i ? 3 : 5) + i > 9)
                s += 0.125;
            if (t)
                s += 0.0625;
            if (i % 3)
                s += 0.03125;
            b[i] = a[i - 1] + a[i + 1] + s;
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            c[(i << 1) * n + j] = d[j * 2] + d[3 * j + 1] - (7 & i) + i % 5;
    show_double("a", a, 4 * n + 8);
    show_double("b", b, 4 * n + 8);
    show_double("c", c, 2 * n * n);
    free(a); free(b); free(c); free(d);
    return 0;
}
