// What a function folds over points of a step is what a variable is declared with there, and changes what the next step is given.
// args: 21 17 33 ; 9 8 1 ; 12 30 0
// form: loops that the host keeps: double now = norm(n, m, u, b);
#include <math.h>
#include "dump.h"

static double norm(int n, int m, const double *u, const double *b)
{
    double s = 0;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            int c = i * m + j;
            double r = b[c] - (4 * u[c] - u[c - 1] - u[c + 1] - u[c - m] - u[c + m]);
            s += r * r;
        }
    return sqrt(s);
}

static void relax(int n, int m, double *u, double *v, const double *b, double w)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            int c = i * m + j;
            v[c] = (1 - w) * u[c] + w * 0.25 * (b[c] + u[c - 1] + u[c + 1] + u[c - m] + u[c + m]);
        }
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            u[i * m + j] = v[i * m + j];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 21), m = argument(argc, argv, 2, 17), steps = argument(argc, argv, 3, 33), t = 0;
    double *u = new_double(n * m, 1), *v = new_double(n * m, 2), *b = new_double(n * m, 3), w = 0.5;
    double last = norm(n, m, u, b), first = last;
#pragma stencil
    while (t < steps && last > 1e-3 * first) {
        relax(n, m, u, v, b, w);
        double now = norm(n, m, u, b);
        if (now > last)
            w *= 0.8;
        else if (w < 0.95)
            w *= 1.02;
        last = now;
        t++;
        if (t % 9 == 4)
            printf("%d %a %a\n", t, w, now);
    }
    printf("%d %a %a\n", t, w, last);
    show_double("u", u, n * m); show_double("v", v, n * m);
    free(u); free(v); free(b);
    return 0;
}
