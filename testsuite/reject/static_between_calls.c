// A static variable that one call of the step's function leaves to the next one, behind a test that only some calls come to.
void advance(int n, int steps, double *u, double *v);

static double change(double x, int t)
{
    static double last;
    if (t % 2 == 0)
        last = x;
    return x - last;
}

void advance(int n, int steps, double *u, double *v)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = change(u[i], t);
        for (int i = 1; i < n - 1; i++)
            u[i] = u[i] + 0.5 * v[i - 1];
    }
}

// remedy: s/    if (t % 2 == 0)\n        last = x;/    last = 0.5 * t;/
