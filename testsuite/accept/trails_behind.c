// Scalars that loops carry from point to point are read behind these loops: a ring, upwards and downwards, rows of a plane, and all points.
// args: 41 17 7 ; 3 4 9 ; 1 5 3 ; 64 9 0
// form: scalars from point to point: u[i] -= (u[i] - left) * k; left = here; } u[0] = left;
// form: scalars from point to point: for (int i = 0; i < n / 2; i++) u[i] += 0.001 * left;
#include "dump.h"

static void upwind(int n, double *u, double k)
{
    double left = u[0], here;
    for (int i = 1; i < n; i++) { here = u[i]; u[i] -= (u[i] - left) * k; left = here; } u[0] = left;
}

static void downwind(int n, float *u)
{
    float right = u[n - 1];
    int i;
    for (i = n - 2; i >= 0; --i) {
        const float here = u[i];
        u[i] = 0.75f * u[i] + 0.25f * right;
        right = here;
    }
    u[n - 1] = 0.5f * (u[n - 1] + right);
}

static void rows(int n, int m, int *u)
{
    for (int i = 0; i < n; i++) {
        int west = u[i * m], here;
        for (int j = 1; j <= m - 1; j++) {
            here = u[i * m + j];
            u[i * m + j] += (west - here) / 3;
            west = here;
        }
        u[i * m] = west - i;
    }
}

static void all(int n, double *u)
{
    double left = u[0];
    for (int i = 1; i < n; i++) {
        double here = u[i];
        u[i] = 0.5 * (here + left);
        left = here;
    }
    for (int i = 0; i < n / 2; i++) u[i] += 0.001 * left;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 41), m = argument(argc, argv, 2, 17), steps = argument(argc, argv, 3, 7);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    float *f = malloc(n * sizeof *f);
    int *w = malloc(n * m * sizeof *w);
    fill_float(f, n, 3);
    for (int i = 0; i < n * m; i++)
        w[i] = (int)(1000 * noise(i));
#pragma stencil
    for (int t = 0; t < steps; t++)
        upwind(n, a, 0.9);
#pragma stencil
    for (int t = 0; t < steps; t++)
        downwind(n, f);
#pragma stencil
    for (int t = 0; t < steps; t++)
        rows(n, m, w);
#pragma stencil
    for (int t = 0; t < steps; t++)
        all(n, b);
    show_double("a", a, n);
    show_double("b", b, n);
    show_float("f", f, n);
    for (int i = 0; i < n * m; i++)
        printf("%d\n", w[i]);
    free(a);
    free(b);
    free(f);
    free(w);
    return 0;
}
