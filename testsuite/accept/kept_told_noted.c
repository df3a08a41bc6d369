// Between the legs of a step the host notes what they fold behind pointers that it is given, which may lead into arrays of the step.
// args: 35 24 ; 11 6 ; 80 3
// notes: none
// form: loops that the host keeps: lengths[k] = along;
// form: loops that the host keeps: errors[t] += sqrt(change);
#include <math.h>
#include "dump.h"

static double product(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static int solve(int n, int most, double *x, double *r, double *p, double *q, double *lengths, double *rests)
{
    double gain = product(n, r, r);
    int k;
#pragma stencil
    for (k = 0; k < most && gain > 1e-9; k++) {
        for (int i = 1; i < n - 1; i++)
            q[i] = 2.5 * p[i] - p[i - 1] - p[i + 1];
        double along = gain / product(n, p, q);
        lengths[k] = along;
        for (int i = 0; i < n; i++)
            x[i] += along * p[i];
        for (int i = 0; i < n; i++)
            r[i] -= along * q[i];
        double now = product(n, r, r);
        double turn = now / gain;
        rests[k] = sqrt(now);
        for (int i = 0; i < n; i++)
            p[i] = r[i] + turn * p[i];
        gain = now;
    }
    return k;
}

static void smooth(int n, int steps, double *u, double *v, const double *w, double *errors)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double change = 0;
        for (int i = 1; i < n - 1; i++) {
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
            change += (v[i] - u[i]) * (v[i] - u[i]);
        }
        errors[t] += sqrt(change);
        double by = 1 / (1 + change);
        for (int i = 1; i < n - 1; i++)
            u[i] = by * v[i] + 0.1 * w[i];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 35), most = argument(argc, argv, 2, 24);
    double *a[7];
    for (int i = 0; i < 7; i++)
        a[i] = new_double(n, i + 1);
    printf("%d\n", solve(n, most, a[0], a[1], a[2], a[3], a[4], a[5]));
    smooth(n, most, a[0], a[1], a[2], a[6]);
    for (int i = 0; i < 7; i++) {
        show_double("a", a[i], n);
        fill_double(a[i], n, i + 9);
    }
    /* What is noted is in an array of the step. */
    printf("%d\n", solve(n, most, a[0], a[1], a[2], a[3], a[0] + 2, a[5]));
    smooth(n, most, a[0], a[1], a[2], a[1]);
    for (int i = 0; i < 7; i++) {
        show_double("a", a[i], n);
        free(a[i]);
    }
    return 0;
}
