// A step whose sums functions of one line compute: they are written out, since the host would take each step otherwise.
// args: 40 25 ; 9 60 ; 70 3
// notes: none
// form: loops that the host keeps: double along = rr / product(p, q, n);
#include <math.h>
#include "dump.h"

static double product(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static int solve(double *x, double *r, double *p, double *q, int n, int most)
{
    double rr = product(r, r, n);
    int k;
#pragma stencil
    for (k = 0; k < most; k++) {
        for (int i = 1; i < n - 1; i++)
            q[i] = 2.25 * p[i] - p[i - 1] - p[i + 1];
        double along = rr / product(p, q, n);
        for (int i = 0; i < n; i++) {
            x[i] += along * p[i];
            r[i] -= along * q[i];
        }
        double now = product(r, r, n);
        if (sqrt(now) < 1e-9)
            return k;
        double turn = now / rr;
        rr = now;
        for (int i = 0; i < n; i++)
            p[i] = r[i] + turn * p[i];
        if (k % 8 == 3)
            printf("%d %a %a\n", k, rr, x[n / 2]);
    }
    return -k;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), most = argument(argc, argv, 2, 25);
    double *x = calloc(n, sizeof *x), *r = new_double(n, 1), *p = new_double(n, 1), *q = calloc(n, sizeof *q);
    printf("%d\n", solve(x, r, p, q, n, most));
    show_double("x", x, n);
    show_double("r", r, n);
    show_double("p", p, n);
    show_double("q", q, n);
    free(x);
    free(r);
    free(p);
    free(q);
    return 0;
}
