// Elements of type int: division, remainder, shifts and bit operations.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    int *a = new_int((size_t)n * m, 1), *b = new_int((size_t)n * m, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = (a[i * m + j - 1] + a[i * m + j + 1]) / 2 - a[(i - 1) * m + j] % 7
                               + (a[(i + 1) * m + j] >> 1) + (a[i * m + j] ^ 5);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i * m + j] = (b[i * m + j] & 1023) - (~b[i * m + j] & 0x1ff) + !b[i * m + j];
    }
    show_int("a", a, (size_t)n * m);
    show_int("b", b, (size_t)n * m);
    return 0;
}
