// Rows behind pointers whose elements are used under conditions on data alone, one of which holds: stores before `continue`, a
// condition that fails for all places of the sweep whatever else is in it, and reads on both sides of a condition.
// form: rows behind pointers: if (old[i][j] == 2) { next[i][j] = 0; continue; }
// form: rows behind pointers: return i == n - 1 && j >= floor((n - 1) * 0.3) && j <= ceil((n - 1) * 0.7);
// args: 20 7 ; 9 0 ; 12 3
#include "dump.h"
#include <math.h>

static char **boards(int n, int m, int seed)
{
    char **board = malloc((size_t)n * sizeof *board);
    for (int i = 0; i < n; i++) {
        board[i] = malloc((size_t)m);
        for (int j = 0; j < m; j++)
            board[i][j] = (char)((i * seed + j * j) % 3);
    }
    return board;
}

static double **plates(int n, int m, int seed)
{
    double **plate = malloc((size_t)n * sizeof *plate);
    for (int i = 0; i < n; i++) {
        plate[i] = malloc((size_t)m * sizeof **plate);
        fill_double(plate[i], (size_t)m, seed + i);
    }
    return plate;
}

static int is_heated(int i, int j, int n)
{
    return i == n - 1 && j >= floor((n - 1) * 0.3) && j <= ceil((n - 1) * 0.7);
}

static void brain(int n, int m, int steps, char **old, char **next)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                int around = old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1];
                if (old[i][j] == 1) {
                    next[i][j] = 2;
                    continue;
                }
                if (old[i][j] == 2) {
                    next[i][j] = 0;
                    continue;
                }
                if (around == 2) {
                    next[i][j] = 1;
                    continue;
                }
                next[i][j] = 0;
            }
        char **turned = old;
        old = next;
        next = turned;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            printf("%d%d", old[i][j], next[i][j]);
        puts("");
    }
}

static void plate(int n, int m, int steps, double **old, double **next)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                if (!is_heated(i, j, n))
                    next[i][j] = (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1]) / 4;
        double **turned = old;
        old = next;
        next = turned;
    }
    for (int i = 0; i < n; i++) {
        show_double("old", old[i], (size_t)m);
        show_double("next", next[i], (size_t)m);
    }
}

static void either(int n, int m, int steps, double **u, double *bias)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++) {
                double change;
                if (bias[j] > 0)
                    change = 0.25 * u[i][j];
                else
                    change = bias[j] - u[i][j];
                if (change > 0.01)
                    u[i][j] = change;
            }
    for (int i = 0; i < n; i++)
        show_double("u", u[i], (size_t)m);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 7), m = n + 5;
    brain(n, m, steps, boards(n, m, 2), boards(n, m, 5));
    plate(n, m, steps, plates(n, m, 1), plates(n, m, 100));
    either(n, m, steps, plates(n, m, 3), new_double((size_t)m, 9));
    return 0;
}
