// One sweep from a fine grid to a coarse one: the reads have a stride of two.
// args: 17 9 ; 4 31
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    double fine[2 * n][2 * m], coarse[n][m];
    fill_double(&fine[0][0], (size_t)4 * n * m, 1);
    fill_double(&coarse[0][0], (size_t)n * m, 2);
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            coarse[i][j] = 0.5 * fine[2 * i][2 * j]
                           + 0.125 * (fine[2 * i - 1][2 * j] + fine[2 * i + 1][2 * j] + fine[2 * i][2 * j - 1]
                                      + fine[2 * i][2 * j + 1]);
    show_double("fine", &fine[0][0], (size_t)4 * n * m);
    show_double("coarse", &coarse[0][0], (size_t)n * m);
    return 0;
}
