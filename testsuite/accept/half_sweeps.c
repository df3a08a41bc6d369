// Two half sweeps a step, from u to v and back; the buffers' borders differ.
// args: 17 9 5 ; 8 31 3 ; 11 7 1
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    double u[n][m], v[n][m];
    fill_double(&u[0][0], (size_t)n * m, 1);
    fill_double(&v[0][0], (size_t)n * m, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = 0.25 * (u[i][j - 1] + u[i][j + 1] + u[i - 1][j] + u[i + 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[i][j] = 0.25 * (v[i][j - 1] + v[i][j + 1] + v[i - 1][j] + v[i + 1][j]);
    }
    show_double("u", &u[0][0], (size_t)n * m);
    show_double("v", &v[0][0], (size_t)n * m);
    return 0;
}
