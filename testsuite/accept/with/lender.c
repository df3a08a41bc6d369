#include <math.h>

#include "dump.h"
#include "lender.h"

static int first = 2, fed;
static double rate = 0.25, table[3][40];
static line *inner;
static const double *weights = table[1];

void open_lender(int n)
{
    static line it;
    inner = &it;
    inner->n = n;
    inner->time = 0;
    inner->u = new_double((size_t)n, 1);
    inner->v = new_double((size_t)n, 2);
    fill_double(&table[0][0], sizeof table / sizeof table[0][0], 3);
}

void spread(line *l)
{
    for (int i = 1; i < l->n - 1; i++)
        l->v[i] = rate * (l->u[i - 1] + l->u[i + 1]) + weights[i];
    for (int i = 1; i < l->n - 1; i++)
        l->u[i] = l->v[i];
}

void feed(int step)
{
    for (int i = first; i < inner->n - first; i++)
        inner->u[i] += table[2][i] * step;
    spread(inner);
    inner->u[first] += sqrt((double)inner->time);
    inner->time++;
    fed += 3;
}

void tune(int step)
{
    rate = 1.0 / (step + 3);
    first = 3;
}

void show_lender(void)
{
    show_double("u", inner->u, (size_t)inner->n);
    show_double("v", inner->v, (size_t)inner->n);
    printf("%d %d %d %g\n", first, fed, inner->time, rate);
}

/* What is called so from here on is none of what the functions above use. */
#define rate first
