// A pointer to a structure is set anew before what exchanges the structure's arrays is called with it.
struct grid {
    int n;
    double *now, *next;
    struct grid *other;
};

static void exchange(struct grid *g)
{
    double *held = g->now;
    g->now = g->next;
    g->next = held;
}

static void step(struct grid *g)
{
    struct grid *q = g;
    for (int i = 1; i < g->n - 1; i++)
        g->next[i] = 0.5 * (g->now[i - 1] + g->now[i + 1]);
    q = g->other;
    exchange(q);
}

void run(struct grid *g, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        step(g);
}
// remedy: s/    q = g->other;\n//
// remedy: s/exchange(q)/exchange(g->other)/
