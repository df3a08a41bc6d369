// What the host keeps of a step is a structure with arrays in it: it saves a state as a whole and puts it back, also one to which
// only a pointer leads; and it reads numbers of the file's that the step may store behind pointers.
// args: 20 14 ; 3 9 ; 9 1 ; 5 0
// form: loops that the host keeps: if (t % 3 == 1) saved = run.now;
// form: loops that the host keeps: static void put_back(void) { state = backup; }
// fallback: allowed
#include <math.h>
#include "dump.h"

enum { MOST = 40 };

struct fields {
    double u[MOST], v[MOST];
    int steps;
};

struct run {
    int kind;
    struct fields now;
    double weight;
};

static struct fields state, backup;
static double peak, centre;

static void sweep(int n, const double *a, double *b)
{
    for (int i = 1; i < n - 1; i++)
        b[i] = 0.5 * a[i] + 0.3 * (a[i - 1] + a[i + 1]);
}

static double total(struct fields f)
{
    double sum = 0;
    for (int i = 0; i < MOST; i++)
        sum += f.u[i] - 0.5 * f.v[i];
    return sum;
}

static void save(void) { backup = state; }

static void put_back(void) { state = backup; }

static struct fields look(void) { return state; }

static void show_fields(const char *name, const struct fields *f)
{
    printf("%s %d\n", name, f->steps);
    show_double("u", f->u, MOST);
    show_double("v", f->v, MOST);
}

static void members(int n, int steps)
{
    struct run run = { 3, { { 0 }, { 0 }, 0 }, 0.5 };
    struct fields saved = run.now;
    double kept = 0;
    fill_double(run.now.u, MOST, 1);
    fill_double(run.now.v, MOST, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sweep(n, run.now.u, run.now.v);
        sweep(n, run.now.v, run.now.u);
        if (t % 3 == 1) saved = run.now;
        if (t % 5 == 4)
            run.now = saved;
        if (t % 4 == 2)
            kept += total(run.now) * run.weight;
    }
    printf("%a\n", kept);
    show_fields("run", &run.now);
    show_fields("saved", &saved);
}

static void pointers(int n, int steps, double *u, double *v)
{
    struct fields seen = { { 0 }, { 0 }, 0 };
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sweep(n, u, v);
        sweep(n, v, u);
        if (t % 3 == 1)
            save();
        if (t % 5 == 4)
            put_back();
        if (t % 4 == 2)
            seen = look();
        if (t % 4 == 3)
            printf("%a %a\n", total(state), total(seen));
    }
    show_fields("seen", &seen);
}

static void numbers(int n, int steps, double *u, double *v, double *middle, double *most)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        middle[0] = v[n / 2];
        most[0] = *most + middle[0];
        for (int i = 1; i < n - 1; i++)
            u[i] = 0.9 * v[i];
        if (t % 3 == 1)
            printf("%a %a\n", centre, peak);
        if (t % 4 == 3)
            peak = 1;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 14);
    double other = 0;
    fill_double(state.u, MOST, 3);
    fill_double(state.v, MOST, 4);
    members(n, steps);
    pointers(n, steps, state.u, state.v);
    show_fields("state", &state);
    show_fields("backup", &backup);
    numbers(n, steps, state.u, state.v, &centre, &peak);
    numbers(n, steps, state.u, state.v, &other, &centre);
    show_fields("state", &state);
    printf("%a %a %a\n", centre, peak, other);
    return 0;
}
