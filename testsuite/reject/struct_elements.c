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
