// Elements of type short and unsigned short.
// args: 37 5 ; 20 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    short a[n];
    unsigned short b[n];
    for (int i = 0; i < n; i++) {
        a[i] = (short)(60000.0 * noise(i));
        b[i] = (unsigned short)(60000.0 * (noise(n + i) + 0.5));
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + 2 * a[i] + a[i + 1] - b[i];
        for (int i = 1; i < n - 1; i++)
            a[i] = (short)((b[i] >> 2) - a[i]);
    }
    show_bytes("a", a, sizeof a);
    show_bytes("b", b, sizeof b);
    return 0;
}
