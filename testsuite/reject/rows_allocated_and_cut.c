// A function gives one of the rows other memory before the nest, so that nobody knows how long the rows are.
void *malloc(unsigned long);

static void cut(double **rows)
{
    rows[1] = malloc(8);
}

void run(int n, int m, int steps, const int *mask)
{
    double **u = malloc(n * sizeof *u);
    for (int i = 0; i < n; i++)
        u[i] = malloc(m * sizeof **u);
    cut(u);
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                if (mask[i * m + j])
                    u[i][j] = 0.5 * u[i][j];
}

// remedy: s/    cut(u);\n//
