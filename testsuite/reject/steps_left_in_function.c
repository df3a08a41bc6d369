// A function that the step calls takes steps of its own, and leaves them when they change little.
static void settle(int n, int most, double *p, double *q, const double *source, double least)
{
    for (int k = 0; k < most; k++) {
        double change = 0;
        for (int i = 1; i < n - 1; i++)
            q[i] = 0.5 * (p[i - 1] + p[i + 1] - source[i]);
        for (int i = 1; i < n - 1; i++) {
            double moved = q[i] > p[i] ? q[i] - p[i] : p[i] - q[i];
            if (moved > change)
                change = moved;
            p[i] = q[i];
        }
        if (change < least)
            break;
    }
}

void run(int n, int steps, double *u, double *source, double *p, double *q)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            source[i] = u[i + 1] - u[i - 1];
        if (t > 0) {
            settle(n, 100, p, q, source, 1e-6);
        }
        for (int i = 1; i < n - 1; i++)
            u[i] -= 0.25 * (p[i + 1] - p[i - 1]);
    }
}

// remedy: s/    for (int k/#pragma stencil\n    for (int k/
// remedy: s/#pragma stencil\n    for (int t/    for (int t/
