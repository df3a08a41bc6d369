// Small arrays that functions fill for some points only, or add to from point to point.
static void fill(const double *u, double *s)
{
    s[0] = u[0] - 1;
    if (u[1] > 0)
        s[1] = u[1] + 1;
}

void some_points(int n, int steps, double *u, double *v)
{
    double s[2] = {1, 2};
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            fill(&u[i], s);
            v[i] = u[i] + 0.01 * s[1] - 0.02 * s[0];
        }
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i];
    }
}

static void add(const double *u, double *s)
{
    s[0] = 0.5 * s[0] + u[0];
}

void point_to_point(int n, int steps, double *u, double *v)
{
    double s[1] = {0};
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            add(&u[i], s);
            v[i] = u[i] + 0.01 * s[0];
        }
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i];
    }
}

// remedy: s/    if (u[1] > 0)\n/    s[1] = 0;\n    if (u[1] > 0)\n/
// remedy: s/0.5 * s[0] + u[0]/0.5 * u[-1] + u[0]/
