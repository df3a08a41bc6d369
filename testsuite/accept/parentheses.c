// Values in parentheses before `+` and `-`, which a parser without types takes for casts; a type whose name is hidden.
#include "dump.h"
#include <math.h>

typedef double real;
#define N 20
#define IX(i, j) ((i) + (N + 2) * (j))

static double twice(double x)
{
    return 2 * x;
}

int main(void)
{
    double *u = new_double((N + 2) * (N + 2), 1), *v = new_double((N + 2) * (N + 2), 2), c = 0.3, d = 0.2;
    double a[40], b[40];
    fill_double(a, 40, 3);
    fill_double(b, 40, 4);
#pragma stencil
    for (int t = 0; t < 5; t++) {
        for (int i = 1; i <= N; i++)
            for (int j = 1; j <= N; j++)
                v[IX(i, j)] = (u[IX(i - 1, j)] + u[IX(i + 1, j)] + u[IX(i, j - 1)] + u[IX(i, j + 1)]) * 0.25;
        for (int i = 1; i <= N; i++)
            for (int j = 1; j <= N; j++)
                u[IX(i, j)] = (v[IX(i, j)]) - (d) + d * u[IX(i, j)];
    }
#pragma stencil
    for (int i = 1; i < 39; i++) {
        double real = (c) + d * b[i - 1] - (b[i]) - b[i + 1] * 2 + (c) * b[i] - (c) / (d) + (d) - c;
        a[i] = (real)-d * 2 + -(real)-c * 4 + (HUGE_VAL - d > b[i] ? 0.125 : 0.25);
    }
    for (int i = 0; i < 40; i++)
        a[i] += (twice(c)) - d * i + (real)-i * 2;
    show_double("u", u, (N + 2) * (N + 2));
    show_double("a", a, 40);
    return 0;
}
