// The rows that the loop allocates are shorter than what the nest may read and store of them.
void *malloc(unsigned long);

void run(int n, int m, int steps, const int *mask)
{
    double **u = malloc(n * sizeof *u);
    for (int i = 0; i < n; i++)
        u[i] = malloc((m - 1) * sizeof **u);
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                if (mask[i * m + j])
                    u[i][j] = 0.5 * u[i][j];
}

// remedy: s/malloc((m - 1)/malloc((m)/
