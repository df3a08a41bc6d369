// A pointer to a member is moved over other members.
struct cell {
    double x;
    int k;
    double y;
};

void relax(struct cell *a, const struct cell *b)
{
#pragma stencil
    for (int i = 1; i < 99; i++) {
        const double *x = &b[i].x;
        a[i].y = 0.5 * x[2];
    }
}

// remedy: s/&b[i].x/&b[i].y/
// remedy: s/x[2]/x[0]/
