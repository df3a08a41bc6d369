// A structure of numbers that steps use gets all of its members anew within each step: from an element, from another structure, from a
// function that returns one.
// args: 30 11 ; 5 3 ; 3 0 ; 9 1
// form: structures: p = rows[t % 2];
// form: structures: q = damped(q);
#include "dump.h"

struct weights {
    double near;
    float far;
    int count;
};

static struct weights damped(struct weights w)
{
    w.near = w.near * 0.75 + 0.125;
    w.far *= 0.5f;
    w.count++;
    return w;
}

static void show(const char *name, struct weights w)
{
    printf("%s: %a %a %d\n", name, w.near, (double)w.far, w.count);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 30), steps = argument(argc, argv, 2, 11);
    double *a = new_double((size_t)n, 1), *b = new_double((size_t)n, 2);
    struct weights p = {0.5, 1.5f, 3}, q = {0.125, 2.5f, 7}, r = {0.25, 0.75f, 9}, rows[2] = {{0.5, 0.5f, 1}, {0.25, 0.75f, 2}};

#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = p.near * a[i] + 0.25 * (a[i - 1] + a[i + 1]);
        p = rows[t % 2];
        for (int i = 1; i < n - 1; i++)
            a[i] = p.near * b[i] + p.far * 0.0625 * (b[i - 1] + b[i + 1]);
    }
    show("p", p);

#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = q.near * a[i] + 0.25 * (a[i - 1] + a[i + 1]);
        q = damped(q);
        for (int i = 1; i < n - 1; i++)
            a[i] = q.near * b[i] + q.far * 0.0625 * (b[i - 1] + b[i + 1]);
    }
    show("q", q);

#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = r.near * a[i] + 0.25 * (a[i - 1] + a[i + 1]);
        r = q;
        r.count = t;
        for (int i = 1; i < n - 1; i++)
            a[i] = r.near * b[i] + r.far * 0.0625 * (b[i - 1] + b[i + 1]);
    }
    show("r", r);
    show_double("a", a, (size_t)n);
    show_double("b", b, (size_t)n);
    return 0;
}
