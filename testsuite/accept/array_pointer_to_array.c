// Pointers to rows, of constant and of variable length, on the heap.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

#define P 6

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    double (*a)[m][P] = malloc(sizeof(double[n][m][P]));
    double (*b)[m][P] = malloc(sizeof(double[n][m][P]));
    fill_double(&a[0][0][0], (size_t)n * m * P, 1);
    fill_double(&b[0][0][0], (size_t)n * m * P, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 0; k < P; k++)
                    b[i][j][k] = 0.25 * (a[i][j - 1][k] + a[i][j + 1][k] + a[i - 1][j][k] + a[i + 1][j][k]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 0; k < P; k++)
                    a[i][j][k] = b[i][j][k];
    }
    show_double("a", &a[0][0][0], (size_t)n * m * P);
    show_double("b", &b[0][0][0], (size_t)n * m * P);
    return 0;
}
