// Buffers that are chosen by the step and by constants at once.
void written(int steps, double u[2][64])
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < 63; i++)
            u[(t + 1) % 2][i] = u[t % 2][i - 1] + u[0][i];
}

void only_read(int steps, double u[64], double c[3][64])
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < 63; i++)
            u[i] = u[i] + c[t % 3][i] + c[0][i + 1];
}

// remedy: s/u[0][i]/u[t % 2][i]/
// remedy: s/double c[3][64])/double c[3][64], double d[64])/
// remedy: s/c[0][i + 1]/d[i + 1]/
