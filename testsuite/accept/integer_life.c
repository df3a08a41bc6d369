// The game of life: integers, comparisons and logical operators.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    int world[n][m], next[n][m];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            world[i][j] = noise(i * m + j) > 0.1, next[i][j] = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                int alive = world[i - 1][j - 1] + world[i - 1][j] + world[i - 1][j + 1]
                            + world[i][j - 1] + world[i][j + 1]
                            + world[i + 1][j - 1] + world[i + 1][j] + world[i + 1][j + 1];
                next[i][j] = alive == 3 || (alive == 2 && world[i][j] != 0);
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                world[i][j] = next[i][j];
    }
    show_int("world", &world[0][0], (size_t)n * m);
    show_int("next", &next[0][0], (size_t)n * m);
    return 0;
}
