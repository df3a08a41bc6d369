// Arrays keep a column for each time step: the last subscript counts steps, as textbooks write w(i, j).
// args: 19 23 17 ; 5 6 3 ; 3 4 0 ; 33 7 30
// form: time levels: w[i][t + 1] = 2 * w[i][t] - w[i][t - 1] + speed * (w[i + 1][t] - 2 * w[i][t] + w[i - 1][t]);
#include "dump.h"

#define LAST 30

static double plane[24][9][LAST + 1];

static void string(int n, int steps, double w[n][steps + 2], double speed)
{
#pragma stencil
    for (int t = 1; t <= steps; t++)
        for (int i = 1; i < n - 1; i++)
            w[i][t + 1] = 2 * w[i][t] - w[i][t - 1] + speed * (w[i + 1][t] - 2 * w[i][t] + w[i - 1][t]);
}

static void rod(int n, int columns, int steps, float *u)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            u[i * columns + t + 1] = u[i * columns + t] + 0.2f * (u[(i - 1) * columns + t] - u[(i + 1) * columns + t]);
        u[t + 1] = u[columns + t + 1];
        u[(n - 1) * columns + t + 1] = u[(n - 2) * columns + t] * 0.5f;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), m = argument(argc, argv, 2, 23), steps = argument(argc, argv, 3, 17);
    size_t columns = (size_t)steps + 2;
    double *w = new_double(n * columns, 1);
    float *u = new_float(m * columns, 3);
    string(n, steps, (double (*)[columns])w, 0.3);
    rod(m, steps + 2, steps, u);
    fill_double(plane[0][0], sizeof plane / sizeof(double), 4);
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < 23; i++)
            for (int j = 1; j < 8; j++)
                plane[i][j][t + 1] = plane[i][j][t] * 0.6 + (plane[i - 1][j][t] + plane[i][j + 1][t]) * 0.2;
    show_double("w", w, n * columns);
    show_float("u", u, m * columns);
    show_double("plane", plane[0][0], sizeof plane / sizeof(double));
    return 0;
}
