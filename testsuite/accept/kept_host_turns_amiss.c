// The host exchanges buffers around a step, but not in each step as its text would have it.
// args: 60 40 ; 17 11 ; 9 1
#include "dump.h"
#include <string.h>

static double *first, *second, levels[3][60];
static int now;

static void sweep(double *to, const double *from, int n)
{
    for (int i = 1; i < n - 1; i++)
        to[i] = 0.3 * from[i - 1] + 0.3 * from[i] + 0.35 * from[i + 1];
}

static void show(int n)
{
    printf("%d\n", now);
    show_double("first", first, (size_t)n);
    show_double("second", second, (size_t)n);
    show_double("levels", levels[0], 180);
}

static void swap(void)
{
    double *tmp = first;
    first = second;
    second = tmp;
}

static void skip_exchanges(int n, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sweep(second, first, n);
        if (t % 7 == 3) {
            printf("%d %a\n", t, second[n / 2]);
            continue;
        }
        if (t == 33)
            break;
        double *tmp = first;
        first = second;
        second = tmp;
    }
    show(n);
}

static void exchange_twice(int n, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sweep(second, first, n);
        if (t % 5 == 4)
            swap();
        double *tmp = first;
        first = second;
        second = tmp;
        if (t == 20) {
            free(second);
            second = new_double((size_t)n, 3);
        }
        if (t == 25)
            first[3] = 7;
    }
    show(n);
}

static void exchange_before(int n, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double *tmp = first;
        first = second;
        second = tmp;
        if (t % 9 == 0)
            printf("%d\n", t);
        sweep(second, first, n);
    }
    show(n);
}

static void exchange_within(int n, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sweep(second, first, n);
        swap();
        if (t % 6 == 0)
            printf("%a\n", first[n / 2]);
        double *tmp = first;
        first = second;
        second = tmp;
    }
    show(n);
}

static void poke(int t)
{
    if (t % 7 == 6)
        now = 0;
    if (t == 17)
        now = 2;
}

static void turn_otherwise(int n, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        int next = (now + 1) % 3;
        for (int i = 1; i < n - 1; i++)
            levels[next][i] = 0.3 * levels[now][i - 1] + 0.3 * levels[now][i] + 0.35 * levels[now][i + 1];
        poke(t);
        if (t == 11)
            continue;
        now = (now + 1) % 3;
    }
    show(n);
}

static void change_the_next(int n, int steps)
{
    now = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        int next = 1 - now;
        if (t % 4 == 3)
            next = 2;
        for (int i = 1; i < n - 1; i++)
            levels[next][i] = 0.3 * levels[now][i - 1] + 0.3 * levels[now][i] + 0.35 * levels[now][i + 1];
        if (t % 6 == 5)
            printf("%a\n", levels[next][n / 2]);
        now = 1 - now;
    }
    show(n);
}

static void by_the_step(int n, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        int from = t % 2, to = 1 - from;
        for (int i = 1; i < n - 1; i++)
            levels[to][i] = 0.3 * levels[from][i - 1] + 0.3 * levels[from][i] + 0.35 * levels[from][i + 1];
        if (t % 10 == 5)
            printf("%d %a\n", to, levels[to][n / 2]);
    }
    show(n);
}

static void change_a_table(int n, int steps)
{
    double *table[2] = { first, second };
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double *from = table[t % 2], *to = table[(t + 1) % 2];
        for (int i = 1; i < n - 1; i++)
            to[i] = 0.3 * from[i - 1] + 0.3 * from[i] + 0.35 * from[i + 1];
        if (t % 10 == 0)
            printf("%a\n", to[n / 2]);
        if (t % 21 == 10) {
            double *tmp = table[0];
            table[0] = table[1];
            table[1] = tmp;
        }
    }
    show(n);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 60), steps = argument(argc, argv, 2, 40);
    first = new_double((size_t)n, 1);
    second = new_double((size_t)n, 2);
    for (int k = 0; k < 180; k++)
        levels[k / 60][k % 60] = k * 7 % 19;
    skip_exchanges(n, steps);
    exchange_twice(n, steps);
    exchange_before(n, steps);
    exchange_within(n, steps);
    turn_otherwise(n, steps);
    change_the_next(n, steps);
    by_the_step(n, steps);
    change_a_table(n, steps);
    return 0;
}
