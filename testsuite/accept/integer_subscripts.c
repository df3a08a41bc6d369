// Integers that the driver looks at or the kernels compute: conditions with constants, headers with quotients, rows by shifts.
// args: 24 3 9 ; 17 2 4
// fallback: allowed
// cflags: -Wno-sign-compare -Wno-parentheses -Wno-bool-compare -Wno-type-limits -Wno-logical-not-parentheses
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 24), m = argument(argc, argv, 2, 3), k = argument(argc, argv, 3, 9);
    unsigned u = (unsigned)m;
    double w = n;
    double *a = new_double(4 * n, 1), *b = new_double(4 * n, 2), *c = new_double(n * n, 3);
    double(*d)[64] = (double(*)[64])new_double(n * 64, 4);
    double *e[1] = { new_double(16, 5) }, *f = e[0];
    double z[4][20] = { { 1 } };
    int i, j, t;
#pragma stencil
    for (t = 0; t < 3; t++) {
        for (i = 2; i < n - 2; i++) {
            double s = 0;
            if (!w || !(long)(i == 7))
                s += 1;
            if (i <= 9 && (unsigned)i - 1u < 12u)
                s += 2;
            if (i == 5 && (unsigned)i - 3u < 4u)
                s += 4;
            if (i >= 4 && (unsigned)(i / 2) - 1u < 9u)
                s += 8;
            if ((i > 3 ? 1 : 0) + u > 3u)
                s += 16;
            if (((i & 1) == 0) == 1)
                s += 32;
            if (((i & 1) != 1) + u > 3)
                s += 64;
            if (i + (unsigned)(m / 2) > 6u)
                s += 128;
            if (i > m * m - k / 3)
                s += 256;
            if (i != 7 && (unsigned)i - 3u < 5u)
                s += 1024;
            if (!(long)(i == 8))
                s += 2048;
            if (i > (m > 2 ? k : 3))
                s += 4096;
            if (i * 2 < n)
                s += 512;
            if ((short)t == 1)
                s += f[0];
            if (t - 1u < 1u)
                s += f[1];
            b[i] = a[i - 1] + s;
        }
        for (i = 2; i < n - 2; i++)
            a[i] = b[i];
    }
#pragma stencil
    for (i = 0; i < n; i++)
        for (j = k / 3 + m * m; j < n - n / 5; j++)
            c[i * n + j] = a[i] + d[i][(j & 7) + 2 * (7 & i)] + d[i][i / 2 * 2] + f[3] * f[t];
#pragma stencil
    for (i = 1; i < n; i++)
        for (j = 1; j < 12; j++)
            d[i][4 * j + 3] = d[i][4 * j] * 0.5 + c[i];
#pragma stencil
    for (i = 0; i < 2; i++)
        for (j = 0; j < 5; j++)
            a[8 * i + j] = b[8 * i + j] + b[5 * i + 3];
#pragma stencil
    for (j = 0; j < 2; j++)
        for (i = 0; i < 4; i++)
            for (t = 0; t < 8; t++)
                a[8 * j + n * i + t] += b[n * i + 8 * j + t];
#pragma stencil
    for (t = 0; t < 5; t++)
        for (i = 1; i < 64; i++)
            d[(3 * t + 1) % 2][i] = d[(long)-(-3 * t) % 2][i - 1] * 0.5 + i;
#pragma stencil
    for (t = 0; t < 5; t++)
        for (i = 1; i < n; i++)
            a[((t + 3) & 1) * n + i] = a[((t + 2) & 1) * n + i - 1] * 0.5;
#pragma stencil
    for (i = 0; i < 20; i++)
        z[m][i] = z[m - 1][i] + i;
    show_double("z", z[0], 80);
    printf("%d %d %d\n", i, j, t);
    show_double("a", a, 4 * n);
    show_double("b", b, 4 * n);
    show_double("c", c, n * n);
    show_double("d", d[0], n * 64);
    free(a), free(b), free(c), free(d), free(f);
    return 0;
}
