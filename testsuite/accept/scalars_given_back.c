// Counters that each point sets back behind their last use, in a function of the step with loops over rows and columns.
// form: scalars from point to point: alive = dead = 0;
// form: scalars from point to point: if (u[i] > x) x += u[i];
// args: 23 31 9 ; 5 4 3 ; 3 3 1
#include "dump.h"

/* The life of cells: the counters begin once, in front of both loops. */
static void live(int n, int m, int a[n][m], int next[n][m])
{
    int alive = 0, dead = 0;
    for (int i = 1; i < n - 1; i++) {
        for (int j = 1; j < m - 1; j++) {
            a[i - 1][j] ? alive++ : dead++;
            a[i + 1][j] ? alive++ : dead++;
            if (a[i][j - 1]) alive++; else dead++;
            if (a[i][j + 1]) alive++;
            next[i][j] = (a[i][j] && alive < 4 && dead < 3) || alive == 3;
            alive = dead = 0;
        }
    }
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            a[i][j] = next[i][j] + alive;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 23), m = argument(argc, argv, 2, 31), steps = argument(argc, argv, 3, 9);
    int a[n][m], next[n][m];
    double u[n * m], v[n * m];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = next[i][j] = (i * 7919 + j * 104729) % 7 % 3 == 0;
    fill_double(u, (size_t)n * m, 1);
    fill_double(v, (size_t)n * m, 2);
#pragma stencil
    for (int t = 0; t < steps; t++)
        live(n, m, a, next);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double x = 0;
        for (int i = 1; i < n * m - 1; i++) {
            if (u[i] > x) x += u[i];
            if (u[i - 1] > x) x += 0.5 * u[i - 1];
            v[i] = x;
            x = 0;
        }
        for (int i = 1; i < n * m - 1; i++)
            u[i] = 0.75 * v[i] + 0.125 * u[i];
    }
    show_int("a", &a[0][0], (size_t)n * m);
    show_int("next", &next[0][0], (size_t)n * m);
    show_double("u", u, (size_t)n * m);
    show_double("v", v, (size_t)n * m);
    return 0;
}
