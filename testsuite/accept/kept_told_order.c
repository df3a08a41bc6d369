// The host leaves a loop between a sweep and the copy back by what only a sum in its own order tells: a ratio of two sums, the change of a norm, a flag; and it prints a sum for which later sweeps wait.
// args: 40 30 0.3 ; 70 21 0 ; 20 60 0.02 ; 70 3 90
// form: loops that the host keeps: err = sqrt(diff / norm);
// form: loops that the host keeps: if (it > 0 && fabs(res - old) < tol * old)
// form: loops that the host keeps: done = err < tol;
// form: loops that the host keeps: by = 1 / (1 + sum);
#include <math.h>
#include "dump.h"

#define SWEEP(BODY) \
    for (int i = 1; i < n - 1; i++) \
        for (int j = 1; j < n - 1; j++) { \
            int at = i * n + j; \
            v[at] = 0.25 * (u[at - n] + u[at + n] + u[at - 1] + u[at + 1]); \
            double d = v[at] - u[at]; \
            BODY; \
        }

static int ratio(int n, double *u, double *v, int most, double tol)
{
    double err = 0;
    int it;
#pragma stencil
    for (it = 0; it < most; it++) {
        double diff = 0, norm = 0;
        SWEEP(diff += d * d; norm += u[at] * u[at])
        err = sqrt(diff / norm);
        if (err < tol)
            break;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i * n + j] = v[i * n + j];
    }
    printf("%a\n", err);
    return it;
}

static int change(int n, double *u, double *v, int most, double tol)
{
    double old = 0, res = 0;
    int it;
#pragma stencil
    for (it = 0; it < most; it++) {
        double sum = 0;
        SWEEP(sum += d * d)
        res = sqrt(sum);
        if (it > 0 && fabs(res - old) < tol * old)
            break;
        old = res;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i * n + j] = v[i * n + j];
    }
    printf("%a %a\n", res, old);
    return it;
}

static int flag(int n, double *u, double *v, int most, double tol)
{
    int it, done = 0;
    double sum;
#pragma stencil
    for (it = 0; it < most; it++) {
        sum = 0;
        SWEEP(sum += d * d)
        double err = sqrt(sum / n);
        done = err < tol;
        if (done)
            break;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i * n + j] = v[i * n + j];
    }
    printf("%d\n", done);
    return it;
}

static int until_flag(int n, double *u, double *v, int most, double tol)
{
    int it = 0, done = 0;
#pragma stencil
    while (!done && it < most) {
        double sum = 0;
        SWEEP(sum += d * d)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i * n + j] = v[i * n + j];
        double err = sqrt(sum / n);
        done = err < tol || it >= 50;
        it++;
    }
    return it;
}

static void damped(int n, double *u, double *v, int most, double tol)
{
    double sum, by;
#pragma stencil
    for (int it = 0; it < most; it++) {
        sum = 0;
        SWEEP(sum += d)
        if (sum > 1e6 * tol && tol > 1)
            return;
        if (it % 4 == 0)
            printf("%d %a\n", it, sum);
        by = 1 / (1 + sum);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i * n + j] = by * v[i * n + j];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), most = argument(argc, argv, 2, 30);
    double tol = argc > 3 ? atof(argv[3]) : 0.3;
    size_t count = (size_t)n * n;
    double *u = new_double(count, 1), *v = new_double(count, 2);
    printf("%d\n", ratio(n, u, v, most, tol));
    show_double("u", u, count);
    fill_double(u, count, 3);
    printf("%d\n", change(n, u, v, most, tol));
    show_double("v", v, count);
    fill_double(u, count, 4);
    printf("%d\n", flag(n, u, v, most, tol));
    show_double("u", u, count);
    fill_double(u, count, 5);
    printf("%d\n", until_flag(n, u, v, most, tol));
    show_double("u", u, count);
    damped(n, u, v, most, tol);
    show_double("u", u, count);
    show_double("v", v, count);
    free(u);
    free(v);
    return 0;
}
