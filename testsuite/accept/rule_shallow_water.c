// A leapfrog scheme with a first step of its own, time levels chosen by turning indices, and counters of steps.
// form: scalars by rule: if (ncycle <= 1) { tdt = tdt + tdt; } else {
// args: 13 11 5 ; 8 9 1 ; 8 9 0
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 13), m = argument(argc, argv, 2, 11), steps = argument(argc, argv, 3, 5);
    double (*u)[n][m] = (double (*)[n][m])new_double(3 * n * m, 1);
    double (*p)[n][m] = (double (*)[n][m])new_double(3 * n * m, 2);
    double dt = 0.01, tdt = dt, time = 0;
    int ncycle = 0, cycles = 0;
    const double alpha = 0.001;
#pragma stencil
    while (ncycle < steps) {
        const double half[2] = {0.5, -0.5};
        int old = (ncycle + 2) % 3, now = ncycle % 3, next = (ncycle + 1) % 3;
        ncycle = ncycle + 1;
        for (int i = 1, e = n - 1; i < e; i++)
            for (int j = 1; j < m - 1; j++) {
                u[next][i][j] = u[old][i][j] - tdt * (p[now][i + 1][j] * half[0] + p[now][i - 1][j] * half[1]);
                p[next][i][j] = p[old][i][j] - tdt * (u[now][i][j + 1] - u[now][i][j - 1]) + time;
            }
        time = time + dt;
        if (ncycle <= 1) {
            tdt = tdt + tdt;
        } else {
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    u[now][i][j] += alpha * (u[next][i][j] - 2 * u[now][i][j] + u[old][i][j]);
        }
        cycles += 1;
    }
    show_double("u", &u[0][0][0], 3 * n * m);
    show_double("p", &p[0][0][0], 3 * n * m);
    printf("%d %d %.17g %.17g\n", ncycle, cycles, time, tdt);
    return 0;
}
