// Streamed tiles of one plane, read only along the rows: optimised, PoCL 3.1 lost stores of a block.
// args: 12 8 15 8 ; 12 30 15 8 ; 5 7 9 3
#include "dump.h"

static void advance(long n, long m, long p, int steps, double *a)
{
#pragma stencil strategy(stream) time_tile(2) per_item(2) tile(2,24,1)
    for (int t = 0; t < steps; t++)
        for (long i = 1; i < n; i++)
            for (long j = 1; j <= m - 3; j++)
                for (long k = 3; k < p - 1; k++)
                    a[((((t + 1) % 3) * n + i) * m + j) * p + k] = a[(((t % 3) * n + i) * m + j) * p + k - 2];
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1, 12);
    long m = argument(argc, argv, 2, 8);
    long p = argument(argc, argv, 3, 15);
    size_t count = (size_t)(3 * n * m * p);
    double *a = new_double(count, 1);
    advance(n, m, p, argument(argc, argv, 4, 8), a);
    show_double("a", a, count);
    free(a);
    return 0;
}
