// A counter that points set back, but for those that go on with the next one before.
void advance(int n, int steps, double *u, double *v);

void advance(int n, int steps, double *u, double *v)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        int near = 0;
        for (int i = 1; i < n - 1; i++) {
            if (u[i] > 0)
                near += 2;
            v[i] = near * u[i - 1];
            if (u[i] > 8)
                continue;
            near = 0;
        }
        for (int i = 1; i < n - 1; i++)
            u[i] = 0.5 * v[i] + 0.25 * u[i];
    }
}

// remedy: s/            if (u[i] > 0)\n/            near = 0;\n            if (u[i] > 0)\n/
