// An attribute lets a member of structures lie elsewhere.
struct cell {
    float kind;
    double v __attribute__((aligned(16))), w;
};

void relax(struct cell *a, const struct cell *b, int n)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        a[i].v = 0.5 * b[i - 1].w;
}

// remedy: s/ __attribute__((aligned(16)))//
