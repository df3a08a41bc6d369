// Arrays that are used if their pointers are not null: those that are null are not touched.
// form: bodies: if (src != NULL) v[i] += src[i];
// args: 37 5 3 ; 20 4 0 ; 33 3 1 ; 16 2 2
#include "dump.h"

static void wave(int n, int steps, double *u, double *v, const double *src, const double *mask)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
            if (src != NULL)
                v[i] += src[i];
            v[i] *= mask ? mask[i] : 0.75;
        }
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i];
    }
}

static void forms(int n, float *restrict out, float *in, float *restrict gain, const long (*shift)[2])
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        float x = in[i];
        if (!gain && !(shift == 0))
            x += (float)shift[i][1];
        else if (NULL != gain && i > 3)
            x *= gain[i];
        if (out && (gain || !shift))
            out[i] = x;
    }
}

static void plane(int n, int m, int steps, double (*u)[m], double (*v)[m], const double (*coef)[m], const double *bias)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                double k = coef ? coef[i - 1][j] + coef[i][j + 1] : 0.25;
                v[i][j] = k * (u[i - 1][j] + u[i][j + 1]) + (bias ? bias[j] : 0.0);
            }
        double (*old)[m] = u;
        u = v;
        v = old;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5), given = argument(argc, argv, 3, 3);
    double *u = new_double(n, 1), *v = new_double(n, 2), *a = new_double(n, 3), *b = new_double(n, 4);
    float *out = new_float(n, 5), *in = new_float(n, 6), *gain = new_float(n, 7);
    long (*shift)[2] = calloc(n, sizeof *shift);
    for (int i = 0; i < n; i++)
        shift[i][1] = 3 * i - 7;
    wave(n, steps, u, v, given & 1 ? a : NULL, given & 2 ? b : NULL);
    forms(n, out, in, given & 1 ? gain : NULL, given & 2 ? (const long (*)[2])shift : NULL);
    int m = 2 * n + 1;
    double *p = new_double(n * m, 8), *q = new_double(n * m, 9), *c = new_double(n * m, 10), *d = new_double(m, 11);
    plane(n, m, steps, (double (*)[m])p, (double (*)[m])q, given & 1 ? (const double (*)[m])c : 0, given & 2 ? d : 0);
    show_double("p", p, n * m);
    show_double("q", q, n * m);
    show_double("u", u, n);
    show_double("v", v, n);
    show_float("out", out, n);
    return 0;
}
