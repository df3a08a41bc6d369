// More is made of what a step returns in its own statement: roots, quotients, sums of them, arguments, members and counted elements.
// args: 40 33 ; 9 1 ; 64 0 ; 33 50
// form: loops that the host keeps: err = sqrt(sweep(n, u, v) / n);
// form: loops that the host keeps: double now = sqrt(sweep(n, u, v));
// form: loops that the host keeps: total += 2 * sqrt(sweep(n, u, v));
// form: loops that the host keeps: printf("%d %a\n", t, fabs(-sweep(n, u, v)));
// form: loops that the host keeps: s.history[s.count++] = sqrt(relax(&s) / s.n);
#include "dump.h"
#include <math.h>

struct solver {
    int n, count;
    double *u, *v, last, history[64];
};

static double sweep(int n, double *u, double *v)
{
    double sum = 0;
    for (int i = 1; i < n - 1; i++) {
        v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        sum += (v[i] - u[i]) * (v[i] - u[i]);
    }
    for (int i = 1; i < n - 1; i++)
        u[i] = v[i];
    return sum;
}

static double relax(struct solver *s)
{
    double sum = 0;
    for (int i = 1; i < s->n - 1; i++) {
        s->v[i] = 0.25 * (s->u[i - 1] + 2 * s->u[i] + s->u[i + 1]);
        sum += s->v[i] * s->v[i];
    }
    double *spare = s->u;
    s->u = s->v;
    s->v = spare;
    return sum;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), steps = argument(argc, argv, 2, 33);
    double *u = new_double(n, 1), *v = new_double(n, 2), err = 1, total = 0;

#pragma stencil
    for (int t = 0; t < steps; t++) {
        err = sqrt(sweep(n, u, v) / n);
        if (err < 1e-3)
            break;
    }
    show_double("u", u, n); show_double("v", v, n);

#pragma stencil
    for (int t = 0; t < steps; t++) {
        double now = sqrt(sweep(n, u, v));
        if (t % 5 == 1)
            printf("%d %a\n", t, now);
    }

#pragma stencil
    for (int t = 0; t < steps; t++)
        total += 2 * sqrt(sweep(n, u, v));
    printf("%a %a\n", err, total);

#pragma stencil
    for (int t = 0; t < steps; t++)
        printf("%d %a\n", t, fabs(-sweep(n, u, v)));
    show_double("u", u, n); show_double("v", v, n);

    struct solver s = { n, 0, u, v, 1, { 0 } };
#pragma stencil
    while (s.count < steps) {
        s.history[s.count++] = sqrt(relax(&s) / s.n);
        if (s.history[s.count - 1] < 0.01)
            break;
    }

#pragma stencil
    for (int t = 0; t < steps && s.last > 1e-3; t++) {
        s.last = relax(&s) / (s.n - 1);
        if (t % 7 == 2)
            printf("%d %a\n", t, s.last);
    }
    show_double("history", s.history, 64);
    show_double("u", u, n); show_double("v", v, n);
    free(u); free(v);
    return 0;
}
