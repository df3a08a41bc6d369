// Grids that a step declares: of variable sizes, of constant ones, in the body of the loop and in functions that it calls.
// form: bodies: double next[n][m];
// form: bodies: unsigned char next[N][N];
// args: 20 7 ; 33 0 ; 9 4 ; 5 3
#include "dump.h"
#include <math.h>
#define N 97

static void smooth(int n, int m, double u[n][m], double w)
{
    double next[n][m];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            next[i][j] = u[i][j] + w * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j]);
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            u[i][j] = next[i][j];
}

static void counted(int n, int m, int steps, double u[n][m])
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        smooth(n, m, u, 0.125);
}

/* Two calls, and what the host does between the steps. */
static void reported(int n, int m, int steps, double u[n][m])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        smooth(n, m, u, 0.25);
        smooth(n, m, u, -0.0625);
        if (t % 3 == 2)
            printf("%d: %a\n", t, u[n / 2][m / 2]);
    }
}

static void flux(int n, int steps, double *u)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double left[n + 1], slope[n];
        for (int i = 1; i < n - 1; i++)
            slope[i] = 0.5 * (u[i + 1] - u[i - 1]);
        for (int i = 2; i < n - 1; i++)
            left[i] = u[i] > 0 ? u[i - 1] + 0.25 * slope[i - 1] : u[i] - 0.25 * slope[i];
        for (int i = 2; i < n - 2; i++)
            u[i] -= 0.5 * (left[i + 1] - left[i]);
    }
}

static void evolve(int steps, unsigned char cells[N][N])
{
    int changed = 1;
#pragma stencil
    for (int t = 0; t < steps && changed; t++) {
        unsigned char next[N][N];
        changed = 0;
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++) {
                int count = 0;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++)
                        count += cells[(y + dy + N) % N][(x + dx + N) % N];
                next[y][x] = count == 3 || (count == 4 && cells[y][x]);
            }
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++) {
                changed += cells[y][x] != next[y][x];
                cells[y][x] = next[y][x];
            }
    }
    printf("%d\n", changed);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 7), m = n + 5;
    static unsigned char cells[N][N];
    size_t count = (size_t)n * (size_t)m;
    double *u = new_double(count, 1);
    counted(n, m, steps, (double (*)[m])u);
    show_double("u", u, count);
    reported(n, m, steps + 1, (double (*)[m])u);
    show_double("u", u, count);
    flux(n, steps, u);
    show_double("u", u, count);
    for (int k = 0; k < N * N; k++)
        cells[k / N][k % N] = noise(k) > 0.2;
    evolve(steps, cells);
    show_bytes("cells", cells, sizeof cells);
    free(u);
    return 0;
}
