// Elements of type unsigned that wrap, compared with ints.
// args: 37 5 ; 20 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    unsigned a[n], b[n];
    for (int i = 0; i < n; i++) {
        a[i] = (unsigned)(4e9 * (noise(i) + 0.5));
        b[i] = (unsigned)i;
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] - a[i + 1] > 0x80000000u ? a[i] * 1664525u + 1013904223u : a[i] / 3u;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i] % 1000003u + (b[i] << 7);
    }
    show_bytes("a", a, sizeof a);
    show_bytes("b", b, sizeof b);
    return 0;
}
