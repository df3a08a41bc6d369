// A number of each step is stored in the loop that sweeps, which one of several parts of a grid has: conjugate gradients.
// args: 40 60 1e-9 ; 12 5 0 ; 3 2 1 ; 25 0 1
// form: loops that the host keeps: alphas[t] = alpha; update(n, alpha, &left);
#include <math.h>
#include "dump.h"

static double *u, *p, *r, *w, *alphas;
static float betas[100][2];

static void product(int n, double *sum)
{
    double own = 0;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int at = i * n + j;
            w[at] = 5 * p[at] - p[at - 1] - p[at + 1] - p[at - n] - p[at + n];
            own += w[at] * p[at];
        }
    *sum += own;
}

static void update(int n, double alpha, double *sum)
{
    double own = 0;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            u[i * n + j] += alpha * p[i * n + j];
            r[i * n + j] -= alpha * w[i * n + j];
            own += r[i * n + j] * r[i * n + j];
        }
    *sum += own;
}

static void turn(int n, double beta)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            p[i * n + j] = beta * p[i * n + j] + r[i * n + j];
}

static void step(int n, int parts, int t, double *gain, double *error)
{
    double sum = 0, left = 0;
    for (int part = 0; part < parts; part++)
        product(n, &sum);
    double alpha = *gain / sum;
    for (int part = 0; part < parts; part++) {
        alphas[t] = alpha; update(n, alpha, &left);
    }
    double beta = left / *gain;
    for (int part = 0; part < parts; part++) {
        betas[t][1] = (float)beta;
        turn(n, beta);
    }
    *error = *gain = left;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), most = argument(argc, argv, 2, 60), t;
    double tol = argc > 3 ? atof(argv[3]) : 1e-9, gain = 0, error = 0;
    u = new_double(n * n, 1), p = new_double(n * n, 2), r = new_double(n * n, 3), w = new_double(n * n, 4);
    alphas = new_double(most + 1, 5);
    for (int i = 0; i < n * n; i++)
        r[i] = p[i];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            gain += r[i * n + j] * r[i * n + j];
#pragma stencil
    for (t = 0; t < most; t++) {
        step(n, 1, t, &gain, &error);
        if (sqrt(fabs(error)) < tol)
            break;
        if (t % 7 == 3)
            printf("%d %a %a\n", t, alphas[t], betas[t][1]);
    }
    printf("%d %a %a\n", t, gain, error);
    show_double("u", u, n * n);
    show_double("alphas", alphas, most + 1);
    show_float("betas", betas[0], 200);
    return 0;
}
