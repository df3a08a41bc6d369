// Blocks of the nest and of the functions that it calls declare variables of the file once more.
// args: 17 9 6 ; 5 6 1 ; 4 3 0 ; 23 12 7
// form: calls: extern double weight, grid[SIZE][SIZE];
#include "dump.h"

#define SIZE 24

double weight = 0.2, grid[SIZE][SIZE], next[SIZE][SIZE];
int rows, columns;

static void relax(void)
{
    extern double weight, grid[SIZE][SIZE];
    extern double next[][SIZE];
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < columns - 1; j++)
            next[i][j] = weight * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]);
}

static void weaken(int t)
{
    extern double weight;
    weight = weight * 0.75 + 0.01 * t;
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 3, 5), t;
    rows = argument(argc, argv, 1, 17);
    columns = argument(argc, argv, 2, 9);
    fill_double(grid[0], sizeof grid / sizeof grid[0][0], 1);
    fill_double(next[0], sizeof next / sizeof next[0][0], 2);
#pragma stencil
    for (t = 0; t < steps; t++) {
        relax();
        weaken(t);
        for (int i = 1; i < rows - 1; i++)
            for (int j = 1; j < columns - 1; j++) {
                extern double weight;
                grid[i][j] = next[i][j] - weight;
            }
        if (t % 2) {
            extern double weight;
            weight += 0.125;
        }
    }
    printf("%d %.17g\n", t, weight);
    show_double("grid", grid[0], sizeof grid / sizeof grid[0][0]);
    show_double("next", next[0], sizeof next / sizeof next[0][0]);
    return 0;
}
