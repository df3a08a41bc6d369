// A structure that a step's function gets by value is the function's own: what is assigned to its members there stays there, but for
// what they point to.
// args: 12 9 7 ; 5 4 1 ; 3 3 0
// form: loops that the host keeps: static void step(struct grid grid)
#include "dump.h"

struct grid {
    int n, m;
    float alpha;
    double near, far;
    double *a, *b;
};

static double sum;

static void step(struct grid grid)
{
    sum = 0;
    for (int i = 1; i < grid.n - 1; i++)
        for (int j = 1; j < grid.m - 1; j++) {
            int c = i * grid.m + j;
            grid.b[c] = 0.5 * grid.a[c] + grid.alpha * (grid.a[c - grid.m] + grid.a[c + 1]);
            sum += grid.b[c];
        }
    for (int i = 1; i < grid.n - 1; i++)
        for (int j = 1; j < grid.m - 1; j++)
            grid.a[i * grid.m + j] = grid.alpha * grid.b[i * grid.m + j];
    grid.alpha = grid.alpha * 0.5f + 0.1f;
    printf("sum %a, alpha %a\n", sum, (double)grid.alpha);
}

static void weighted(struct grid grid)
{
    sum = 0;
    grid.far *= 0.5;
    for (int i = 1; i < grid.n - 1; i++)
        for (int j = 1; j < grid.m - 1; j++) {
            int c = i * grid.m + j;
            grid.b[c] = grid.near * grid.a[c] + grid.far * grid.a[c - 1];
            sum += grid.b[c];
        }
    double *other = grid.a;
    grid.a = grid.b;
    grid.b = other;
    for (int i = 1; i < grid.n - 1; i++)
        for (int j = 1; j < grid.m - 1; j++)
            grid.b[i * grid.m + j] = 0.75 * grid.a[i * grid.m + j];
    printf("sum %a, near and far %a %a\n", sum, grid.near, grid.far);
}

static void run(struct grid grid, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        step(grid);
        printf("step %d: sum %a, alpha %a\n", t, sum, (double)grid.alpha);
        if (t % 3 == 1)
            grid.alpha += 0.125f;
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        weighted(grid);
        printf("step %d: sum %a, near and far %a %a\n", t, sum, grid.near, grid.far);
    }
    show_double("a", grid.a, (size_t)grid.n * grid.m);
    show_double("b", grid.b, (size_t)grid.n * grid.m);
}

int main(int argc, char **argv)
{
    struct grid grid = {argument(argc, argv, 1, 9), argument(argc, argv, 2, 9), 0.25f, 0.5, 0.25, NULL, NULL};
    grid.a = new_double((size_t)grid.n * grid.m, 1);
    grid.b = new_double((size_t)grid.n * grid.m, 2);
    run(grid, argument(argc, argv, 3, 5));
    printf("alpha %a\n", (double)grid.alpha);
    return 0;
}
