// Members of a member without a name.
struct cell {
    struct {
        double x, y;
    };
    double v, w;
};

void relax(struct cell *a, const struct cell *b, int n)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        a[i].v = 0.5 * b[i - 1].w;
}

// remedy: s/    };\n    double v/    } at;\n    double v/
