// A row of the grid in an array of the function that the nest calls, which sets its first element.
#define N 1000

static double u[N];

static void step(void)
{
    double next[N] = { 1 };
    for (int i = 1; i < N - 1; i++)
        next[i] = u[i - 1] + u[i + 1];
    for (int i = 1; i < N - 1; i++)
        u[i] = next[i];
}

void run(int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        step();
}

// remedy: s|static double u[N];|static double u[N], next[N];|
// remedy: s|    double next[N] = { 1 };\n||
