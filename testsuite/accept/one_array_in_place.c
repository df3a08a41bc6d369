// Arrays that are one: every element is read for the last time before it is written, so the device does it.
// args: 37 23 ; 1 1 ; 64 5
#include "dump.h"

static void scale(int n, int m, double *o, const double *a)
{
#pragma stencil extent(o[0:n][0:m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            o[i * m + j] = 0.5 * a[i * m + j] + 0.25;
}

static void forward(int n, int m, double o[n + 1][m + 1], double a[n + 1][m + 1])
{
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double below = a[i + 1][j], end = a[i][m];
            if (a[i][j] > -0.375)
                o[i][j] = a[i][j] + 0.5 * below - 0.125 * end;
        }
}

static void react(int n, float *u_new, float *v_new, float *u, float *v)
{
#pragma stencil
    for (int i = n; i >= 1; i--) {
        float x = u[i], y = v[i - 1] + v[i];
        u_new[i] = x + 0.25f * y;
        v_new[i] = y - 0.5f * x;
    }
}

/* Each of the two gets the elements that the other one does not. */
static void halves(int n, double *o, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        o[2 * i] = 2.0 * a[2 * i];
        a[2 * i + 1] = 1.0 - o[2 * i + 1];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), m = argument(argc, argv, 2, 23);
    double *a = new_double((size_t)(n + 1) * (m + 1), 1), *b = new_double((size_t)(n + 1) * (m + 1), 2);
    float *u = new_float(n + 1, 3), *v = new_float(n + 1, 4);
    scale(n, m, a, a);
    scale(n, m, b, a);
    forward(n, m, (double (*)[m + 1])a, (double (*)[m + 1])a);
    react(n, u, v, u, v);
    halves(n / 2, a, a);
    show_double("a", a, (size_t)(n + 1) * (m + 1));
    show_double("b", b, (size_t)(n + 1) * (m + 1));
    show_float("u", u, n + 1);
    show_float("v", v, n + 1);
    return 0;
}
