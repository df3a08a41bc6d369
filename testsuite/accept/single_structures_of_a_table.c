// Structures with pointers that are elements of an array by constants, and in a loop whose length is known.
// args: 33 9 ; 12 1 ; 50 20
// form: structures: levels[1].u[i] = levels[0].u[i - 1] + levels[0].u[i + 1] * levels[1].weight
// form: structures: for (int l = 0; l < LEVELS; l++)
#include "dump.h"

#define LEVELS 2

struct level { int n; float *u; double weight; };

static void shift(struct level *level, int n)
{
    for (int i = 2; i < n; i++)
        level->u[i] = level->u[i] * 0.5f + (float)level->weight;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 33), steps = argument(argc, argv, 2, 9);
    struct level levels[LEVELS];
    for (int l = 0; l < LEVELS; l++)
        levels[l] = (struct level){ n, new_float((size_t)n, l), 0.25 * (l + 1) };
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < levels[1].n - 1; i++)
            levels[1].u[i] = levels[0].u[i - 1] + levels[0].u[i + 1] * levels[1].weight;
        for (int i = 1; i < n - 1; i++)
            levels[0].u[i] = levels[1].u[i] * 0.75f;
        for (int l = 0; l < LEVELS; l++)
            shift(&levels[l], n);
    }
    for (int l = 0; l < LEVELS; l++)
        show_float("u", levels[l].u, (size_t)n);
    return 0;
}
