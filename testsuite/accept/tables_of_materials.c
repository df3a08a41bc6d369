// Data choose elements of small arrays: of a table of numbers in two dimensions, of one of structures, and of one that the nest changes.
// form: subscripts: rate[kind[i][j]][u[i][j] > 0.25]
// args: 24 7 ; 9 3 ; 5 0
#include "dump.h"

enum { AIR, ROCK, IRON, KINDS };
struct material {
    double conducts, stores;
};

static const struct material materials[KINDS] = { { 0.02, 1.5 }, { 0.1, 1.25 }, { 0.2, 0.75 } };
static double rate[KINDS][2] = { { 1, 0.5 }, { 0.25, 0.75 }, { 0.125, 2 } };
static unsigned char kind[40][40];
static double u[40][40], w[40][40];

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 24), steps = argument(argc, argv, 2, 7);
    fill_double(u[0], 1600, 1);
    fill_double(w[0], 1600, 2);
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 40; j++)
            kind[i][j] = (unsigned char)((i + 2 * j) % KINDS);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                const struct material *here = &materials[kind[i][j]];
                double sum = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j];
                double speed = here->conducts / materials[kind[i - 1][j]].stores;
                w[i][j] = u[i][j] + speed * sum * rate[kind[i][j]][u[i][j] > 0.25];
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i][j] = w[i][j];
        rate[ROCK][1] *= 0.9375;
    }
    show_double("u", u[0], 1600);
    show_double("rate", rate[0], 2 * KINDS);
    return 0;
}
