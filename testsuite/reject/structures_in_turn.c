// Structures that pointers lead to in turn: whether a pointer in one is set need not be so in the other, and pointers do not lead to
// them in a cycle.
struct grid { int n; double *u, *mask; };

void masks(struct grid *a, struct grid *b, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < a->n - 1; i++)
            b->u[i] = a->mask ? a->u[i + 1] : a->u[i - 1];
        struct grid *old = a;
        a = b;
        b = old;
    }
}

void lost(struct grid *a, struct grid *b, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < a->n - 1; i++)
            b->u[i] = a->u[i + 1] - a->u[i - 1];
        a = b;
    }
}

// remedy: s/struct grid *old = a;/double *old = a->u;/
// remedy: s/a = b;/a->u = b->u;/
// remedy: s/b = old;/b->u = old;/
// remedy: s/a = b;/double *old = a->u; a->u = b->u; b->u = old;/
