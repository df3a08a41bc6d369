// A step gives a function the addresses of its counter and of a number, a structure and pointers whose addresses others had; the
// function has a constant of its own, and the file says where it stands.
// args: 19 17 ; 5 3 ; 4 0 ; 33 30
// form: loops that the host keeps: move(limits, u, v, means, &t, &count);
#include <assert.h>
#include <math.h>
#include "dump.h"

struct limits {
    int n, steps;
    double factor;
};

static void set_up(struct limits *limits, double **u, double **v, double **means)
{
    assert(limits->n > 3);
    limits->factor = 0.375;
    *u = new_double(limits->n, 1);
    *v = new_double(limits->n, 2);
    *means = new_double(limits->steps + 1, 3);
}

static void warm(const struct limits limits, double *u)
{
    for (int i = 0; i < limits.n; i++)
        u[i] += limits.factor;
}

void move(const struct limits limits, const double *u, double *v, double *means, const int *t, const int *count)
{
    static const double half = 1 / 2.0;
    double sum = 0;
    for (int i = 1; i < limits.n - 1; i++) {
        v[i] = half * u[i] + limits.factor * (u[i - 1] + u[i + 1]);
        sum += sqrt(v[i] * v[i] + half);
    }
    means[*t] = sum / *count;
}

int main(int argc, char **argv)
{
    struct limits limits = { argument(argc, argv, 1, 19), argument(argc, argv, 2, 17), 0 };
    int count = limits.n - 2;
    double *u, *v, *means;
    set_up(&limits, &u, &v, &means);
#pragma stencil
    for (int t = 0; t < limits.steps; t++) {
        warm(limits, u);
        move(limits, u, v, means, &t, &count);
        double *w = u;
        u = v;
        v = w;
    }
    show_double("means", means, limits.steps + 1);
    show_double("u", u, limits.n);
    show_double("v", v, limits.n);
    free(u);
    free(v);
    free(means);
    return 0;
}
