// Arrays that are members of a structure.
struct grid {
    int n;
    double *now, *next;
};

void relax(struct grid *g)
{
#pragma stencil
    for (int i = 1; i < g->n - 1; i++)
        g->next[i] = 0.5 * (g->now[i - 1] + g->now[i + 1]);
}
