// Indices that each step changes by no rule that tells which buffer they choose.
void wander(int steps, double a[5][64], double *b)
{
    int now = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < 63; i++)
            b[i] = a[now][i - 1] + a[now][i + 1];
        now = (now * now + 3) % 5;
    }
}

static double a[3][64];

void start(int now, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < 63; i++)
            a[1 - now][i] = a[now][i - 1] + a[now][i + 1];
        now = 1 - now;
    }
}

// remedy: s/#pragma stencil\n//
// remedy: s/        for/#pragma stencil\n        for/
// remedy: s/#pragma stencil\n//
// remedy: s/        for/#pragma stencil\n        for/
