// Cells are copied as a whole, and one of their members is volatile.
struct cell {
    double v;
    volatile int flag;
};

void shift(struct cell *a, const struct cell *b, int n)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        a[i] = b[i - 1];
}

// remedy: s/a[i] = b[i - 1];/a[i].v = b[i - 1].v;/
