// One array that several sweeps of a step update in place, each with neighbours that it has not reached yet: first along rows, then along columns.
// args: 19 23 7 ; 5 4 3 ; 12 31 1 ; 9 9 0
// form: time levels: u[i][j] -= 0.2 * (u[i][j] - u[i][j - 1]);
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), m = argument(argc, argv, 2, 23), steps = argument(argc, argv, 3, 7);
    double *memory = new_double(n * m, 1), *line = new_double(n, 2);
    double (*u)[m] = (double (*)[m])memory;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = m - 1; j > 0; j--)
                u[i][j] -= 0.2 * (u[i][j] - u[i][j - 1]);
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                u[i][j] -= 0.1 * (u[i][j] - u[i + 1][j]);
    }
    show_double("u", memory, n * m);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            line[i] *= 0.75;
        for (int i = 0; i < n - 1; i++)
            line[i] = line[i + 1] + 0.5;
        for (int i = n - 1; i > 1; i--)
            line[i] = line[i] - 0.25 * line[i - 2];
    }
    show_double("line", line, n);
    free(memory);
    free(line);
    return 0;
}
