// Two fields that read each other's neighbours, each with its own second array.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    double u[n][m], v[n][m], un[n][m], vn[n][m];
    fill_double(&u[0][0], (size_t)n * m, 1);
    fill_double(&v[0][0], (size_t)n * m, 2);
    fill_double(&un[0][0], (size_t)n * m, 3);
    fill_double(&vn[0][0], (size_t)n * m, 4);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                un[i][j] = u[i][j] - 0.1 * u[i][j] * (u[i][j] - u[i - 1][j])
                           - 0.1 * v[i][j] * (u[i][j] - u[i][j - 1]);
                vn[i][j] = v[i][j] - 0.1 * u[i][j] * (v[i][j] - v[i - 1][j])
                           - 0.1 * v[i][j] * (v[i][j + 1] - v[i][j]);
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                u[i][j] = un[i][j];
                v[i][j] = vn[i][j];
            }
    }
    show_double("u", &u[0][0], (size_t)n * m);
    show_double("v", &v[0][0], (size_t)n * m);
    show_double("un", &un[0][0], (size_t)n * m);
    show_double("vn", &vn[0][0], (size_t)n * m);
    return 0;
}
