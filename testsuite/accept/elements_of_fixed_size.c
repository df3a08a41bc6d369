// Arrays of a fixed size, of which a run uses a part: what is read and written under conditions alone is within that size.
// form: subscripts: u[SIZE][SIZE]
// args: 12 9 7 ; 20 20 3 ; 3 4 5 ; 19 20 0
#include "dump.h"
#define SIZE 20
static double u[SIZE][SIZE], v[SIZE][SIZE];
static int open[SIZE][SIZE];
int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 12), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 7);
    double line[SIZE] = {1, 2, 3}, next[SIZE] = {3, 2, 1};
    for (int i = 0; i < SIZE * SIZE; i++) {
        u[i / SIZE][i % SIZE] = v[i / SIZE][i % SIZE] = 0.125 * (i * 7 % 11);
        open[i / SIZE][i % SIZE] = i % 5 > 1 && i % SIZE < SIZE - 1;
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m - 1; j++)
                if (open[i][j])
                    v[i][j] = 0.5 * (u[i - 1][j] + u[i][j + 1]);
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m - 1; j++)
                if (open[i][j])
                    u[i][j] = v[i][j];
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        if (t % 4 == 2) printf("%d\n", t);
        if (t % 2 == 0)
            for (int i = 1; i < n - 1; i++) next[i] = 0.5 * (line[i - 1] + line[i + 1]);
        else
            for (int i = 1; i < n - 1; i++) line[i] = 0.5 * (next[i - 1] + next[i + 1]);
        if (t % 3 == 1) printf("%a\n", line[1]);
    }
    show_double("u", *u, SIZE * SIZE); show_double("v", *v, SIZE * SIZE);
    show_double("line", line, SIZE); show_double("next", next, SIZE);
    return 0;
}
