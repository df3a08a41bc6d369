// Loops over the steps of a frame have a call alone as their body: one that counts and is declared in its head, one that ends by a fold.
// args: 19 4 5 ; 7 1 1 ; 12 3 0
// form: loops that the host keeps: for (int k = 0; k < each; k++) step(0.1);
#include <math.h>
#include "dump.h"

static double u[40][24], v[40][24];
static int n;

static double step(double dt)
{
    double change = 0;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < 23; j++)
            v[i][j] = u[i][j] + dt * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j]);
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < 23; j++) {
            change = fmax(change, fabs(v[i][j] - u[i][j]));
            u[i][j] = v[i][j];
        }
    return change;
}

static void run(int frames, int each)
{
#pragma stencil
    for (int f = 0; f < frames; f++) {
        for (int k = 0; k < each; k++) step(0.1);
        printf("%d %a\n", f, u[3][4]);
    }
}

static void settle(int frames)
{
    double change = 1;
#pragma stencil
    for (int f = 0; f < frames; f++) {
        while (change > 0.1 / (f + 1))
            change = step(0.2);
        printf("%d %a %a\n", f, change, u[2][5]);
    }
}

int main(int argc, char **argv)
{
    int frames = argument(argc, argv, 2, 4);
    n = argument(argc, argv, 1, 19);
    fill_double(&u[0][0], 40 * 24, 1);
    fill_double(&v[0][0], 40 * 24, 2);
    run(frames, argument(argc, argv, 3, 5));
    show_double("u", &u[0][0], 40 * 24);
    settle(frames);
    show_double("u", &u[0][0], 40 * 24);
    show_double("v", &v[0][0], 40 * 24);
    return 0;
}
