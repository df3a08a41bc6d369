// A bit-field among the members of cells.
struct cell {
    float v;
    unsigned kind : 3;
    double w;
};

void relax(struct cell *a, int n)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        a[i].w = a[i].kind == 1 ? 0.5 * a[i].v : 0;
}

// remedy: s/kind : 3/kind/
