// Scalars that each time step computes from those of the step before: the buffer, the time, the step's length.
void buffers(int steps, double a[2][64])
{
    int now = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < 63; i++)
            a[1 - now][i] = a[now][i - 1] + a[now][i + 1];
        now = 1 - now;
    }
}

void source(int n, int steps, double dt, double *a, const double *b, double *times)
{
    double time = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            a[i] += b[i] * time;
        time += dt;
    }
}

void leapfrog(int n, int steps, double dt, double *a, double *b)
{
    double length = dt;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + length * a[i + 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        if (t == 0)
            length = length + length;
    }
}

// remedy: s/    int now = 0;\n//
// remedy: s/t++) {/t++) {\n        int now = t % 2;/
// remedy: s/        now = 1 - now;\n//
// remedy: s/#pragma stencil\n/    for (int t = 0; t < steps; t++) {\n        times[t] = time;\n        time += dt;\n    }\n#pragma stencil\n/
// remedy: s/* time/* times[t]/
// remedy: s/        time += dt;\n//
// remedy: s/#pragma stencil\n//
// remedy: s/        for/#pragma stencil\n        for/
// remedy: s/        for/#pragma stencil\n        for/
