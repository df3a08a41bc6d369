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

// remedy: s/#pragma stencil\n/    int n = g->n;\n    double *now = g->now, *next = g->next;\n#pragma stencil\n/
// remedy: s/g->n - 1/n - 1/
// remedy: s/g->next/next/
// remedy: s/g->now/now/
// remedy: s/g->now/now/
