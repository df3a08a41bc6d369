// The host looks at columns of an array that keeps one for each time step, sets an element of each, and leaves the loop.
// args: 19 17 ; 5 3 ; 4 0 ; 33 30
// form: loops that the host keeps: u[i][t + 1] = u[i][t] + 0.2 * (u[i - 1][t] - 2 * u[i][t] + u[i + 1][t]);
#include "dump.h"

#define LAST 30

static double u[40][LAST + 1];

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), steps = argument(argc, argv, 2, 17);
    fill_double(u[0], sizeof u / sizeof(double), 1);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            u[i][t + 1] = u[i][t] + 0.2 * (u[i - 1][t] - 2 * u[i][t] + u[i + 1][t]);
        if (t % 5 == 2) {
            double sum = 0;
            for (int i = 0; i < n; i++)
                sum += u[i][t + 1] - u[i][t - 1];
            printf("%d: %.17g %.17g\n", t, sum, u[n / 2][t]);
            u[n / 2][t + 1] = 0.5;
        }
        if (u[2][t + 1] > 0.4999)
            break;
    }
    show_double("u", u[0], sizeof u / sizeof(double));
    return 0;
}
