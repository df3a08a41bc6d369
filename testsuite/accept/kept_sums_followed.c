// Functions of the host follow pointers that sums and calls give, `(cell + i)->speed.x`, between the sweeps of a step and behind them.
// form: loops that the host keeps: (cell + i)->speed.x - (old + i)->x
// args: 23 ; 11 ; 3 ; 0
#include <math.h>
#include "dump.h"
#define N 20
typedef struct {
    double x, y;
} vec;
typedef struct {
    double f, g;
    vec speed;
} node;
static double change(node *cell, vec *old)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum + fabs((cell + i)->speed.x - (old + i)->x);
    return sum;
}
static node *at(node *cell, int i) { return cell + i; }
int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 23);
    node *cell = calloc(N, sizeof *cell);
    vec *old = calloc(N, sizeof *old);
    for (int i = 0; i < N; i++)
        cell[i].speed.x = i * i % 7;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < N - 1; i++)
            cell[i].g = 0.5 * cell[i - 1].speed.x + 0.25 * cell[i + 1].speed.x;
        for (int i = 1; i < N - 1; i++)
            cell[i].speed.x = cell[i].g;
        if (t % 10 == 0) {
            double sum = change(cell, old);
            printf("%d %a\n", t, sum);
            if (sum < 0.001)
                break;
        }
        for (int i = 0; i < N; i++)
            old[i].x = cell[i].speed.x;
        if (t % 7 == 3)
            printf("%a\n", at(cell, t % N)->speed.x);
    }
    for (int i = 0; i < N; i++)
        printf("%a %a\n", cell[i].speed.x, old[i].x);
    return 0;
}
