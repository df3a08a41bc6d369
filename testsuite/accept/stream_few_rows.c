// A stream in three dimensions of so few rows that no tile has room for both ends: the first and the last own cells more.
// args: 9 17 11 4 ; 6 40 8 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 9), m = argument(argc, argv, 2, 17), l = argument(argc, argv, 3, 11);
    int steps = argument(argc, argv, 4, 4);
    float(*a)[m][l] = (float(*)[m][l])new_float(n * m * l, 1), (*b)[m][l] = (float(*)[m][l])new_float(n * m * l, 2);
#pragma stencil strategy(stream) time_tile(2) work_group(32, 2)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < l - 1; k++)
                    b[i][j][k] = 0.5f * a[i][j][k] + 0.1f * (a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k]
                                                           + a[i][j + 1][k] + a[i][j][k + 1]);
        float(*swap)[m][l] = a;
        a = b;
        b = swap;
    }
    show_float("a", &a[0][0][0], (size_t)n * m * l);
    show_float("b", &b[0][0][0], (size_t)n * m * l);
    free(a), free(b);
    return 0;
}
