#include "pool.h"
#include "../include/dump.h"

const int width = 9;
int rows, last_step;
double *now, *next, (*weights)[9], sources[4] = {1, 0.5, 0.25, 0.125};
static int calls;

void open_pool(int n)
{
    rows = n;
    now = new_double((size_t)(n * width), 1);
    next = new_double((size_t)(n * width), 2);
    weights = (double (*)[9])new_double((size_t)(n * width), 3);
}

void spread(void)
{
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < width - 1; j++)
            next[i * width + j] = 0.5 * now[i * width + j] + 0.125 * weights[i][j] *
                (now[(i - 1) * width + j] + now[(i + 1) * width + j] + now[i * width + j - 1] + now[i * width + j + 1]);
}

void show_pool(void)
{
    printf("%d %d\n", last_step, calls++);
    show_double("now", now, (size_t)(rows * width));
    show_double("next", next, (size_t)(rows * width));
}
