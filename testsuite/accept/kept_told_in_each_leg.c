// Between the legs of a step the host makes numbers of what each leg folds, for the next one: steps along directions, a sum
// that is used anew, its root in its own place, the largest value and where a step ends; some are kept, some printed.
// args: 31 25 0.001 ; 31 40 4 ; 18 3 0 ; 5 7 0.1
// form: loops that the host keeps: double along = gain / bend, left = 0;
// form: loops that the host keeps: scale = sqrt(scale);
// form: loops that the host keeps: lengths[k] = along; turns[k] = turn;
#include <math.h>
#include "dump.h"

static int descend(int n, double *x, double *r, double *d, double *q, int most, double tol)
{
    double gain = 0, lengths[64] = { 0 }, turns[64] = { 0 };
    int k = 0;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            gain += r[i * n + j] * r[i * n + j];
#pragma stencil
    while (k < most && gain > tol) {
        double bend = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                int at = i * n + j;
                q[at] = 5 * d[at] - d[at - n] - d[at + n] - d[at - 1] - 0.5 * d[at + 1];
                bend += d[at] * q[at];
            }
        double along = gain / bend, left = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                x[i * n + j] += along * d[i * n + j];
                r[i * n + j] -= along * q[i * n + j];
                left += r[i * n + j] * r[i * n + j];
            }
        double turn = left / gain;
        lengths[k] = along; turns[k] = turn;
        if (k % 10 == 7)
            printf("%d %a %a\n", k, along, x[n + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                d[i * n + j] = r[i * n + j] + turn * d[i * n + j];
        gain = left;
        k++;
    }
    printf("%a\n", gain);
    show_double("lengths", lengths, 64);
    show_double("turns", turns, 64);
    return k;
}

static double stretch(int n, int steps, double **u, double **v)
{
    double scale = 0, seen = 0, before = -1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        scale = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                v[i][j] = 3 * u[i][j] - u[i - 1][j] - 0.75 * u[i][j + 1];
                scale += v[i][j] * v[i][j];
            }
        scale = sqrt(scale);
        before = seen;
        seen = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                seen += u[i][j] * v[i][j];
                u[i][j] = v[i][j] / scale;
            }
        if (fabs(seen - before) < 1e-7)
            break;
    }
    return scale + 3 * seen + 5 * before;
}

static int flow(int n, int steps, float *f, float *g, double keep)
{
    double sum;
    float most = 0, slow = 0.5f;
    int t;
#pragma stencil
    for (t = 0; t < steps; t++) {
        sum = 0;
        for (int i = 1; i < n - 1; i++) {
            g[i] = f[i] + 0.3f * slow * (f[i - 1] - 2 * f[i] + f[i + 1]);
            sum += g[i];
        }
        double lost = (keep - sum) / (n - 2);
        most = 0;
        sum = 0;
        for (int i = 1; i < n - 1; i++) {
            f[i] = g[i] + 0.25 * lost;
            most = fmaxf(most, fabsf(f[i]));
            sum += f[i] * f[i];
        }
        if (sum < 1e-3)
            return t;
        slow = 1 / (1 + most);
        for (int i = 1; i < n - 1; i++)
            f[i] += 0.01f * slow * g[i];
        if (t % 9 == 4)
            printf("%d %a %a\n", t, sum, most);
    }
    printf("%a %a\n", sum, slow);
    return t;
}

static int calm(int n, int steps, double tol, double *u, double *v)
{
    double most;
    int t;
#pragma stencil
    for (t = 0; t < steps; t++) {
        most = 0;
        for (int i = 1; i < n - 1; i++) {
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
            most = fmax(most, fabs(v[i]));
        }
        if (most < tol)
            break;
        for (int i = 1; i < n - 1; i++) {
            u[i] = v[i];
            most = fmax(most, fabs(u[i] - 1));
        }
        if (t % 6 == 2)
            printf("%a\n", most);
    }
    return t;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 31), steps = argument(argc, argv, 2, 25);
    double tol = argc > 3 ? atof(argv[3]) : 0.001;
    size_t all = (size_t)n * n;
    double *x = new_double(all, 1), *r = new_double(all, 2), *d = new_double(all, 3), *q = new_double(all, 4);
    double **u = malloc(n * sizeof *u), **v = malloc(n * sizeof *v);
    float *f = new_float(all, 5), *g = new_float(all, 6);
    for (int i = 0; i < n; i++) {
        u[i] = x + (size_t)i * n;
        v[i] = q + (size_t)i * n;
    }
    printf("%d\n", descend(n, x, r, d, q, steps, tol));
    show_double("x", x, all);
    show_double("d", d, all);
    printf("%a\n", stretch(n, steps, u, v));
    show_double("x", x, all);
    show_double("q", q, all);
    printf("%d\n", flow((int)all, steps, f, g, 2.5));
    printf("%d\n", calm((int)all, steps, 4 * tol, x, q));
    show_double("x", x, all);
    show_float("f", f, all);
    show_float("g", g, all);
    return 0;
}
