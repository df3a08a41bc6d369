// A domain of two pieces in four dimensions with strides: as a condition it speaks of cells alone, not of the number of steps.
// args: 7 10 9 11 8 ; 3 4 6 5 2 ; 1 1 1 1 1
#include "dump.h"

static void advance(unsigned n, unsigned m, unsigned p, unsigned q, int steps, unsigned short *a, unsigned short *b)
{
#pragma stencil
    for (int t = 0; t != steps; t++)
        for (unsigned i = n / 2; i + 1 < n; i++)
            for (unsigned j = 1; j + 1 < m; j += 3)
                for (unsigned k = 1; k < p / 2; k++)
                    for (unsigned l = 1; l + 1 < q; l++)
                        if (j != m / 2)
                            b[((i * m + j) * p + k) * q + l] = 7 * a[((i * m + j) * p + k) * q + l - 1]
                                + (a[(((i + 1) * m + j) * p + k) * q + l] ^ 5)
                                + a[((i * m + j) * p + k) * q + l] % 7;
}

int main(int argc, char **argv)
{
    static unsigned short a[10000], b[10000];
    unsigned n = (unsigned)argument(argc, argv, 1, 7);
    unsigned m = (unsigned)argument(argc, argv, 2, 10);
    unsigned p = (unsigned)argument(argc, argv, 3, 9);
    unsigned q = (unsigned)argument(argc, argv, 4, 11);
    for (int i = 0; i < 10000; i++) {
        a[i] = (unsigned short)(i * 37);
        b[i] = (unsigned short)(i * 11);
    }
    advance(n, m, p, q, argument(argc, argv, 5, 3), a, b);
    show_bytes("b", b, sizeof b);
    return 0;
}
