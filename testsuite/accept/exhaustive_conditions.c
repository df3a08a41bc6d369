// Conditions on data without a last `else`, one of which always holds: what they assign needs no value from before.
// args: 17 11 6 ; 5 19 3
// form: bodies: if (count > 3)
#include "dump.h"

static void generation(int n, int m, int (*world)[m])
{
    int next[n][m];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            int count = world[i - 1][j] + world[i + 1][j] + world[i][j - 1] + world[i][j + 1];
            if (count == 2)
                next[i][j] = world[i][j];
            if (count == 3)
                next[i][j] = 1;
            if (count < 2)
                next[i][j] = 0;
            if (count > 3)
                next[i][j] = 0;
        }
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            world[i][j] = next[i][j];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 11), steps = argument(argc, argv, 3, 6);
    int world[n][m], rule = 0;
    unsigned char cells[64], after[64];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            world[i][j] = noise(i * m + j) > 0;
    for (int i = 0; i < 64; i++)
        cells[i] = noise(i) > 0.2, after[i] = 2;
#pragma stencil
    for (int t = 0; t < steps; t++)
        generation(n, m, world);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < 63; i++) {
            int lives = cells[i], around = cells[i - 1] + cells[i + 1];
            if (lives && around <= 1)
                rule = 1;
            else if (!lives && 2 > around)
                rule = 0;
            if (around == 2)
                rule = !lives;
            else if (!(around < 3))
                rule = 3;
            after[i] = rule;
        }
        for (int i = 1; i < 63; i++)
            cells[i] = after[i];
    }
    show_int("world", &world[0][0], (size_t)n * m);
    for (int i = 0; i < 64; i++)
        printf("%d%d%c", cells[i], after[i], i % 16 == 15 ? '\n' : ' ');
    return 0;
}
