// Elements of type long and unsigned long long that need more than 32 bits.
// args: 37 5 ; 20 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    long a[n];
    unsigned long long b[n];
    for (int i = 0; i < n; i++) {
        a[i] = (long)(1e15 * noise(i));
        b[i] = (unsigned long long)(1e15 * (noise(n + i) + 0.5));
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 6364136223846793005ULL * (unsigned long long)a[i - 1] + b[i] + (unsigned long long)a[i + 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = (long)(b[i] >> 3) - 4000000000L;
    }
    show_bytes("a", a, sizeof a);
    show_bytes("b", b, sizeof b);
    return 0;
}
