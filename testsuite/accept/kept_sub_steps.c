// Steps that are made of sub-steps and of sweeps beside these, which the host computes: the count changes, pointers are exchanged in
// the sub-steps or behind them, the host adds to what they go on with, and leaves the loops.
// args: 17 5 6 ; 9 7 1 ; 5 3 0 ; 33 4 13
// form: loops that the host keeps: for (int s = 0; s < sub; s++) {
// form: loops that the host keeps: while (left-- > 0) {
#include "dump.h"

struct model {
    int n, sub;
    double dt;
    double *u, *spare, *v;
};

static void react(struct model *m)
{
    for (int i = 1; i < m->n - 1; i++)
        m->v[i] += m->dt * (m->u[i] - m->v[i] * m->v[i]);
}

static int copied(struct model *m, int steps)
{
    int s = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (s = 0; s < m->sub + t % 3; s++) {
            for (int i = 1; i < m->n - 1; i++)
                m->spare[i] = m->u[i] + m->dt * (m->u[i - 1] - 2 * m->u[i] + m->u[i + 1]);
            for (int i = 1; i < m->n - 1; i++)
                m->u[i] = m->spare[i];
        }
        react(m);
        if (m->v[m->n / 2] > 0.9)
            break;
    }
    return s;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5), sub = argument(argc, argv, 3, 6);
    double *u = new_double((size_t)n + 1, 1), *v = new_double((size_t)n + 1, 2), *w = new_double((size_t)n + 1, 3);
    double *slow = new_double((size_t)n + 1, 4), *next = new_double((size_t)n + 1, 5);
    // Acoustic sub-steps, and advection with what they leave.
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int s = 0; s < sub; s++) {
            for (int i = 1; i < n; i++)
                w[i] -= 0.05 * (u[i] - u[i - 1]);
            for (int i = 0; i < n; i++)
                u[i] -= 0.05 * (w[i + 1] - w[i]);
        }
        for (int i = 1; i < n; i++)
            next[i] = slow[i] - 0.1 * w[i] * (slow[i + 1] - slow[i - 1]);
        for (int i = 1; i < n; i++)
            slow[i] = next[i];
    }
    show_double("u", u, (size_t)n + 1);
    show_double("slow", slow, (size_t)n + 1);
    // What the host computes beside the sub-steps goes into them.
    int left = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        left = sub + t;
        while (left-- > 0) {
            for (int i = 1; i < n - 1; i++)
                v[i] = u[i] + 0.2 * (u[i - 1] - 2 * u[i] + u[i + 1]);
            double *tmp = u;
            u = v;
            v = tmp;
        }
        for (int i = 1; i < n - 1; i++)
            u[i] += 0.1 * slow[i];
        for (int i = 1; i < n - 1; i++)
            slow[i] = 0.9 * slow[i] + 0.05 * u[i + 1];
    }
    printf("%d\n", left);
    show_double("u", u, (size_t)n);
    show_double("v", v, (size_t)n);
    show_double("slow", slow, (size_t)n);
    struct model m = {n, sub, 0.25, u, v, slow};
    printf("%d\n", copied(&m, steps));
    show_double("m.u", m.u, (size_t)n);
    show_double("m.spare", m.spare, (size_t)n);
    show_double("m.v", m.v, (size_t)n);
    return 0;
}
