// Rows behind a table of pointers get a value in each of the cases that an `if` chain or a `switch` has.
// form: rows behind pointers: else if (near == 2)
// args: 24 7 ; 9 3 ; 5 0
#include "dump.h"

static char **new_board(int n, int seed)
{
    char **board = malloc((size_t)n * sizeof *board);
    for (int i = 0; i < n; i++) {
        board[i] = malloc((size_t)n);
        for (int j = 0; j < n; j++)
            board[i][j] = noise(i * n + j + seed) > 0;
    }
    return board;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 24), steps = argument(argc, argv, 2, 7);
    char **now = new_board(n, 1), **next = new_board(n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                int near = now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1];
                if (near == 3)
                    next[i][j] = 1;
                else if (near == 2)
                    next[i][j] = now[i][j];
                else
                    next[i][j] = 0;
            }
        char **other = now;
        now = next;
        next = other;
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                switch (now[i - 1][j] + now[i][j - 1] + now[i][j + 1]) {
                case 0:
                    next[i][j] = now[i][j];
                    break;
                case 1:
                    next[i][j] = !now[i][j];
                    break;
                default:
                    next[i][j] = 1;
                }
        char **other = now;
        now = next;
        next = other;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            putchar(now[i][j] ? '#' : next[i][j] ? '+' : '.');
    return 0;
}
