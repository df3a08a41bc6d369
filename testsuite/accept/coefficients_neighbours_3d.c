// Diffusion in space between cells of different conductance, which is averaged over pairs of neighbours.
// args: 12 9 15 5 ; 5 30 70 6 ; 37 4 20 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 12), m = argument(argc, argv, 2, 9), l = argument(argc, argv, 3, 15);
    int steps = argument(argc, argv, 4, 5);
    size_t cells = (size_t)n * m * l;
    float u[n][m][l], v[n][m][l], c[n][m][l];
    fill_float(&u[0][0][0], cells, 1);
    fill_float(&v[0][0][0], cells, 2);
    fill_float(&c[0][0][0], cells, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < l - 1; k++) {
                    float along = (c[i][j][k] + c[i][j][k + 1]) * (u[i][j][k + 1] - u[i][j][k])
                                  - (c[i][j][k] + c[i][j][k - 1]) * (u[i][j][k] - u[i][j][k - 1]);
                    float across = (c[i][j][k] + c[i][j + 1][k]) * (u[i][j + 1][k] - u[i][j][k])
                                   - (c[i][j][k] + c[i][j - 1][k]) * (u[i][j][k] - u[i][j - 1][k]);
                    float above = (c[i][j][k] + c[i + 1][j][k]) * (u[i + 1][j][k] - u[i][j][k])
                                  - (c[i][j][k] + c[i - 1][j][k]) * (u[i][j][k] - u[i - 1][j][k]);
                    v[i][j][k] = u[i][j][k] + 0.05f * (along + across + above);
                }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < l - 1; k++)
                    u[i][j][k] = v[i][j][k];
    }
    show_float("u", &u[0][0][0], cells);
    show_float("v", &v[0][0][0], cells);
    return 0;
}
