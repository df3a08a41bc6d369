// Conditions of loops that the host keeps look at arrays, by themselves and in functions; some look only where others hold.
// args: 12 50 ; 9 7 ; 5 0 ; 21 33
// form: loops that the host keeps: while (residual(n, u, f) > tol && it < most) {
// form: loops that the host keeps: for (it = 0; it < most && (it % 5 || u[n / 2][1] < 0.9); it++) {
// form: loops that the host keeps: } while (!settled(n, u, v));
#include <math.h>
#include "dump.h"

static double residual(int n, double **u, double **f)
{
    double most = 0;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            double by = f[i][j] + u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j];
            if (fabs(by) > most)
                most = fabs(by);
        }
    return most;
}

static int settled(int n, double **u, double **v)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            if (fabs(u[i][j] - v[i][j]) > 0.01)
                return 0;
    return 1;
}

static double **rows(int n, int seed)
{
    double **a = malloc((size_t)n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = new_double((size_t)n, seed + i);
    return a;
}

static void show(const char *name, int n, double **a)
{
    for (int i = 0; i < n; i++)
        show_double(name, a[i], (size_t)n);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 12), most = argument(argc, argv, 2, 50), it = 0;
    double **u = rows(n, 1), **v = rows(n, 41), **f = rows(n, 81), tol = 0.25;
#pragma stencil
    while (residual(n, u, f) > tol && it < most) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i][j] = 0.25 * (f[i][j] + u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        double **old = u;
        u = v;
        v = old;
        it++;
    }
    printf("%d\n", it);
    show("u", n, u);
    show("v", n, v);
#pragma stencil
    for (it = 0; it < most && (it % 5 || u[n / 2][1] < 0.9); it++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i][j] = u[i][j] + 0.125 * (u[i - 1][j] + f[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i][j] = v[i][j];
        if (it == 17)
            continue;
        printf("%d\n", it);
    }
    show("u", n, u);
    it = 0;
#pragma stencil
    do {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        double **old = u;
        u = v;
        v = old;
        if (++it > most)
            break;
    } while (!settled(n, u, v));
    printf("%d\n", it);
    show("u", n, u);
    show("v", n, v);
    return 0;
}
