// Not all points give the scalar a value that they add: the others add what the point before has left there.
static void sweep(int n, double *to, const double *from)
{
    double delta;
    for (int i = 0; i < n; i++) {
        if (i == 0)
            delta = from[1] - from[0];
        else if (i == n - 1)
            delta = from[n - 2] - from[n - 1];
        to[i] = from[i] + delta;
    }
}

void relax(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sweep(n, b, a);
        sweep(n, a, b);
    }
}

// remedy: s/        to[i]/        else\n            delta = 0;\n        to[i]/
