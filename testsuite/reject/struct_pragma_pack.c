// A pragma lets the members of structures lie elsewhere.
#pragma pack(push, 1)
struct cell {
    char kind;
    double v, w;
};
#pragma pack(pop)

void relax(struct cell *a, const struct cell *b, int n)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        a[i].v = 0.5 * b[i - 1].w;
}

// remedy: s/#pragma pack(push, 1)\n//
// remedy: s/#pragma pack(pop)\n//
