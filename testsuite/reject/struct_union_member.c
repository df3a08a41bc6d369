// Where members behind a union lie is not known.
struct cell {
    float v;
    union {
        int count;
        float share;
    } of;
    double w;
};

void relax(struct cell *a, const struct cell *b, int n)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        a[i].v = 0.5f * (float)b[i - 1].w;
}

// remedy: s/union {\n        int count;\n        float share;\n    } of;/float share;/
