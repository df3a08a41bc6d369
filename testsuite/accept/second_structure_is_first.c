// What the steps count through one pointer is the size of the loops by another, so that they change from step to step.
// args: 20 5
// fallback: expected
#include "dump.h"

typedef struct {
    int n, time;
} sizes;

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 5);
    double *u = new_double((size_t)n + 9, 1), *v = new_double((size_t)n + 9, 2);
    int room[3] = { 0, n, 0 };
    sizes *of_loops = (sizes *)&room[1], *of_time = (sizes *)&room[0];
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < of_loops->n; i++)
            u[i] += 0.5 * (v[i] - v[i - 1]) + of_time->time;
        of_time->time++;
        for (int i = 1; i < of_loops->n; i++)
            v[i] = u[i];
    }
    show_double("u", u, (size_t)n + 9);
    show_double("v", v, (size_t)n + 9);
    printf("%d %d %d\n", room[0], room[1], room[2]);
    return 0;
}
