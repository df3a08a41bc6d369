// Loops that the host keeps need functions of the library for each place in their sweeps, and what goes into some changes.
// args: 21 34 ; 64 5
// form: loops that the host keeps: sin(3 * k * x) * sin(k * y)
// notes: `log` may differ in the last bits
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Relaxes until the change is small; `k` is another one in each call. */
static int relax(double **u, double **v, int nx, int ny, double k, double limit)
{
    double h = 1.0 / (ny + 1), change = 1;
    int rounds = 0;
#pragma stencil
    while (change > limit && rounds < 60) {
        change = 0;
        for (int i = 1; i <= nx; i++)
            for (int j = ny; j >= 1; j--) {
                double x = i * h, y = j * h;
                v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] + h * sin(3 * k * x) * sin(k * y)
                                  + h * exp(-k * ((x - 0.5) * (x - 0.5) + (y - 0.3) * (y - 0.3))));
            }
        for (int i = 1; i <= nx; i++)
            for (int j = 1; j <= ny; j++) {
                change = fmax(change, fabs(v[i][j] - u[i][j]));
                u[i][j] = v[i][j];
            }
        rounds++;
        if (rounds % 20 == 0)
            printf("  %d: %.17g\n", rounds, change);
    }
    return rounds;
}

/* A factor that the host changes after each step: its logarithms are the device's. */
static void decay(double *a, double *b, int n, double factor)
{
#pragma stencil
    for (int t = 0; t < 10; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]) + cosf(0.25f * i) + (log(factor * i) > 2 ? 0.5 : 0.25);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        printf("%g\n", factor);
        factor *= 1.25;
    }
}

int main(int argc, char **argv)
{
    int nx = argc > 1 ? atoi(argv[1]) : 8, ny = argc > 2 ? atoi(argv[2]) : 9;
    double **u = malloc((nx + 2) * sizeof *u), **v = malloc((nx + 2) * sizeof *v);
    for (int i = 0; i < nx + 2; i++) {
        u[i] = calloc(ny + 2, sizeof **u);
        v[i] = calloc(ny + 2, sizeof **v);
    }
    for (int call = 1; call <= 3; call++) {
        int rounds = relax(u, v, nx - call / 3, ny, 1.1 * call, 1e-4 / call);
        printf("%d rounds, %.17g %.17g\n", rounds, u[nx / 2][ny / 2], u[1][1]);
    }
    double *a = calloc(2 * nx, sizeof *a), *b = calloc(2 * nx, sizeof *b);
    a[nx] = 1;
    decay(a, b, 2 * nx, 0.3);
    for (int i = 0; i < 2 * nx; i += 5)
        printf("%.17g\n", a[i]);
    return 0;
}
