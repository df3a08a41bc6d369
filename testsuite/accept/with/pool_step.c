#include "pool.h"

void feed(int step)
{
    for (int j = 0; j < 4; j++)
        next[width + j] += sources[j];
    last_step = step;
}

void turn(void)
{
    double *before = now;
    now = next;
    next = before;
}
