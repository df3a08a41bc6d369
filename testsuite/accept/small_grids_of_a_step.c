// Functions that each step calls declare small arrays that are grids, and copies name whole arrays by their addresses.
// args: 5 ; 2 ; 1
// form: bodies: int next[12][10];
#include "dump.h"

static int alive(int world[12][10], int i, int j)
{
    int count = 0;
    for (int k = -1; k <= 1; k++)
        for (int l = -1; l <= 1; l++)
            if ((k || l) && i + k >= 0 && i + k < 12 && j + l >= 0 && j + l < 10)
                count += world[i + k][j + l];
    return count;
}

static void generation(int world[12][10])
{
    int next[12][10];
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 10; j++) {
            int count = alive(world, i, j);
            next[i][j] = count == 3 || (count == 2 && world[i][j]);
        }
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 10; j++)
            world[i][j] = next[i][j];
}

static void diffuse(double u[20])
{
    double w[20] = {0};
    for (int i = 1; i < 19; i++)
        w[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]);
    memcpy(u, &w, sizeof w);
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5);
    static int world[12][10];
    static double u[20], a[15][16], b[15][16];
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 10; j++)
            world[i][j] = noise(i * 10 + j) > 0;
    for (int i = 0; i < 20; i++)
        u[i] = noise(i);
    for (int i = 0; i < 15; i++)
        for (int j = 0; j < 16; j++)
            a[i][j] = noise(i * 16 + j), b[i][j] = 0.5 * a[i][j];
#pragma stencil
    for (int t = 0; t < steps; t++)
        generation(world);
#pragma stencil
    for (int t = 0; t < steps; t++)
        diffuse(u);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < 14; i++)
            for (int j = 1; j < 15; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        memcpy(&a, &b, sizeof(a));
    }
    show_int("world", &world[0][0], 120);
    show_double("u", u, 20);
    show_double("a", &a[0][0], 240);
    show_double("b", &b[0][0], 240);
    return 0;
}
