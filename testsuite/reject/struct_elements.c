// An array of structures.
struct cell {
    double u, v;
};

void relax(int n, struct cell *a, const struct cell *b)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        a[i].u = 0.5 * (b[i - 1].v + b[i + 1].v);
}

// remedy: s/struct cell *a, const struct cell *b/double *au, const double *bv/
// remedy: s/a[i].u = 0.5 * (b[i - 1].v + b[i + 1].v)/au[i] = 0.5 * (bv[i - 1] + bv[i + 1])/
