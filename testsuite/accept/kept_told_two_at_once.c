// Statements make one number of what two functions fold, which several legs of a step call; one returns the root of what another
// folds, and one sweeps in its declaration.
// args: 37 21 ; 9 4 ; 70 2
// notes: none
// form: loops that the host keeps: double along = product(n, r, r) / product(n, r, q);
// form: loops that the host keeps: damp = product(n, z, w) / product(n, z, z) * 0.9;
#include <math.h>
#include "dump.h"

static double product(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static double size(int n, const double *a)
{
    return sqrt(product(n, a, a));
}

static void spread(int n, const double *from, double *to)
{
    for (int i = 1; i < n - 1; i++)
        to[i] = 2.25 * from[i] - from[i - 1] - 0.75 * from[i + 1];
}

static void add(int n, double by, const double *from, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] += by * from[i];
}

static int descend(int n, int most, double *x, double *r, double *q)
{
    int k;
#pragma stencil
    for (k = 0; k < most; k++) {
        spread(n, r, q);
        double along = product(n, r, r) / product(n, r, q);
        add(n, along, r, x);
        add(n, -along, q, r);
        if (size(n, r) < 1e-3)
            break;
    }
    return k;
}

static double damped(int n, int most, double *x, double *w, double *z)
{
    double damp = 1;
#pragma stencil
    for (int k = 0; k < most; k++) {
        spread(n, w, z);
        damp = product(n, z, w) / product(n, z, z) * 0.9;
        add(n, damp, w, x);
        add(n, -damp, z, w);
        printf("%d %a\n", k, damp);
    }
    return damp;
}

static double gathered(int n, const double *p, double *w)
{
    double sum = 0;
    for (int i = 1; i < n - 1; i++) {
        w[i] = 3.5 * p[i] - p[i - 1] - p[i + 1];
        sum += w[i] * p[i];
    }
    return sum;
}

static double reduced(int n, double along, double *u, double *r, const double *p, const double *w)
{
    double sum = 0;
    for (int i = 1; i < n - 1; i++) {
        u[i] += along * p[i];
        r[i] -= along * w[i];
        sum += r[i] * r[i];
    }
    return sum;
}

static void solve(int n, int most, double *u, double *r, double *p, double *w)
{
    double before = product(n, r, r);
#pragma stencil
    for (int k = 0; k < most; k++) {
        double along = before / gathered(n, p, w);
        double now = reduced(n, along, u, r, p, w);
        double turn = now / before;
        for (int i = 1; i < n - 1; i++)
            p[i] = r[i] + turn * p[i];
        before = now;
        if (k % 5 == 2)
            printf("%d %a\n", k, before);
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), most = argument(argc, argv, 2, 21);
    double *a[4];
    for (int i = 0; i < 4; i++)
        a[i] = new_double(n, i + 1);
    printf("%d\n", descend(n, most, a[0], a[1], a[2]));
    printf("%a\n", damped(n, most, a[0], a[3], a[2]));
    for (int i = 0; i < 4; i++) {
        show_double("a", a[i], n);
        fill_double(a[i], n, i + 5);
    }
    solve(n, most, a[0], a[1], a[2], a[3]);
    for (int i = 0; i < 4; i++) {
        show_double("a", a[i], n);
        free(a[i]);
    }
    return 0;
}
