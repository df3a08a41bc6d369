// Borders are set at each point of the sweep over the inside: the last time counts.
// args: 14 11 5 ; 6 7 1 ; 30 9 12
// form: loops: u[0][j] = 1;
// form: loops: v[j] = u_old[1][j];
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 14), m = argument(argc, argv, 2, 11), steps = argument(argc, argv, 3, 5);
    double(*u)[m] = (double(*)[m])new_double((size_t)n * m, 1);
    double(*u_old)[m] = (double(*)[m])new_double((size_t)n * m, 2);
    double *v = new_double((size_t)m, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                u_old[i][j] = u[i][j];
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++) {
                u[i][j] = 0.5 * (u_old[i - 1][j] + u_old[i][j - 1]);
                u[0][j] = 1;
                u[n - 1][j] = 0.25 * t;
                u[i][0] = u_old[i][2] + 1;
                u[i][m - 1] = -1;
                v[j] = u_old[1][j];
                v[0] = u_old[2][2];
            }
    }
    show_double("u", &u[0][0], (size_t)n * m);
    show_double("u_old", &u_old[0][0], (size_t)n * m);
    show_double("v", v, (size_t)m);
    return 0;
}
