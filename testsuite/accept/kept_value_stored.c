// What a function returns that sweeps and folds is stored in an element at once: with braces around it or without, converted, divided.
// args: 40 33 ; 9 1 ; 64 0 ; 33 50
// form: loops that the host keeps: sums[t] = step(n, u, v);
// form: loops that the host keeps: history[now][0] = 2 * (float)change(n, u, v) / n;
#include "dump.h"
#include <math.h>

static double *sums;
static double history[64][2];
static int now;

static double step(int n, double *u, double *v)
{
    double sum = 0;
    for (int i = 1; i < n - 1; i++) {
        if (i % 7 == 3) {
            v[i] = u[i];
        } else {
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
            sum += v[i] * v[i];
        }
    }
    for (int i = 1; i < n - 1; i++)
        u[i] = v[i];
    return sum / n;
}

static float change(int n, const double *u, double *v)
{
    float most = 0;
    for (int i = 1; i < n - 1; i++) {
        v[i] = 0.25 * (u[i - 1] + 2 * u[i] + u[i + 1]);
        most = fmaxf(most, (float)fabs(v[i] - u[i]));
    }
    return most;
}

static void make(double **u, int n, int seed)
{
    *u = new_double(n, seed);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), steps = argument(argc, argv, 2, 33);
    double *u, *v;
    make(&u, n, 1);
    make(&v, n, 2);
    make(&sums, steps + 1, 3);

#pragma stencil
    for (int t = 0; t < steps; t++)
        sums[t] = step(n, u, v);
    show_double("sums", sums, steps + 1);
    show_double("u", u, n); show_double("v", v, n);

#pragma stencil
    for (now = 0; now < steps; now++) {
        history[now][0] = 2 * (float)change(n, u, v) / n;
        double *w = u;
        u = v;
        v = w;
        if (now % 9 == 2)
            printf("%d %.17g\n", now, history[now][0]);
    }
    show_double("history", &history[0][0], 128);
    show_double("u", u, n); show_double("v", v, n);
    free(u); free(v); free(sums);
    return 0;
}
