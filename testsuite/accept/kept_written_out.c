// Functions of a step fold what their own sweeps need: what they do stands in the place of their calls.
// args: 50 0.5 ; 17 0.2 ; 9 0.0
// cflags: -Wno-unknown-pragmas
// form: loops that the host keeps: double dt = step(u, v, n, 0.4);
// form: loops that the host keeps: t += march(n, m, a, b);
// form: loops that the host keeps: advance(p);
#include <math.h>
#include "dump.h"

#define AT(i, j) ((i) * m + (j))

static double step(double *u, double *v, int n, double cfl)
{
    double top = 1e-9;
    for (int i = 1; i <= n; i++) {
        double s = fabs(u[i]); // its speed
        if (s > top) top = s;
    }
    double dt = cfl / (n * top);
    for (int i = 1; i <= n; i++)
        v[i] = u[i] - dt * n * (u[i] - u[i - 1]);
    for (int i = 1; i <= n; i++)
        u[i] = v[i];
    return dt;
}

static double advect(int n, double *u, double *v, double end)
{
    double t = 0;
    int k = 0;
#pragma stencil
    while (t < end) {
        double dt = step(u, v, n, 0.4);
        t += dt;
        if (++k % 10 == 3)
            printf("%d %a %a\n", k, t, u[2]);
    }
    return t;
}

double march(int n, int m, double a[n][m], double b[n][m])
{
    double top = 0.0;
    int i, j;
    #pragma omp parallel for private(j) reduction(max : top)
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < m - 1; j++)
            if (a[i][j] > top) top = a[i][j];
    double dt = 0.1 / (1 + top);
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < m - 1; j++)
            b[i][j] = a[i][j] + dt * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] +
                                      a[i][j + 1] - 4 * a[i][j]);
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < m - 1; j++)
            a[i][j] = b[i][j];
    return dt;
}

static double diffuse(int n, int m, double (*a)[m], double (*b)[m], double end)
{
    double t = 0;
    int i = 0, j = 3;
#pragma stencil
    while (t < end)
        t += march(n, m, a, b);
    return t + 0 * (i + j);
}

struct flow {
    int n;
    long count;
    double dt, t, *u, *v;
};

static double fastest(const struct flow *s)
{
    double top = 1e-9;
    for (int i = 1; i <= s->n; i++)
        top = fmax(top, fabs(s->u[i]));
    return top;
}

static void advance(struct flow *s)
{
    s->dt = 0.4 / (s->n * fastest(s));
    if (s->dt > 0.05) s->dt = 0.05;
    for (int i = 1; i <= s->n; i++)
        s->v[i] = s->u[i] - 0.5 * s->dt * s->n * (s->u[i] * s->u[i] - s->u[i - 1] * s->u[i - 1]);
    double *swap = s->u;
    s->u = s->v;
    s->v = swap;
    s->u[0] = s->u[1];
    s->t += s->dt;
    s->count++;
}

static float relax(float *u, float *other, int m, float w)
{
    double top = 0;
    for (int i = 1; i < m - 1; i++)
        for (int j = 1; j < m - 1; j++)
            top = fmax(top, u[AT(i, j)]);
    float scale = top > 0.5 ? 0.25 : 0.2;
    for (int i = 1; i < m - 1; i++)
        for (int j = 1; j < m - 1; j++)
            other[AT(i, j)] = w * scale * (u[AT(i - 1, j)] + u[AT(i + 1, j)] + u[AT(i, j - 1)] + u[AT(i, j + 1)]);
    for (int i = 1; i < m - 1; i++)
        for (int j = 1; j < m - 1; j++)
            u[AT(i, j)] = other[AT(i, j)];
    printf("%a\n", top);
    return top;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 50), m = n / 2 + 4;
    double end = argc > 2 ? atof(argv[2]) : 0.5;
    size_t size = (size_t)n * m;
    double *u = new_double(n + 2, 1), *v = new_double(n + 2, 2), *a = new_double(size, 3), *b = new_double(size, 4);
    printf("%a %a\n", advect(n, u, v, end), diffuse(n, m, (void *)a, (void *)b, end));
    show_double("a", a, size);
    show_double("b", b, size);
    struct flow flow = { n, 0, 0, 0, u, v }, *p = &flow;
#pragma stencil
    while (p->t < end) {
        advance(p);
        if (p->count % 10 == 0)
            printf("%ld %a\n", p->count, p->u[3]);
    }
    printf("%ld %a %a\n", flow.count, flow.t, flow.dt);
    show_double("u", flow.u, n + 2);
    show_double("v", flow.v, n + 2);
    float *f = new_float((size_t)m * m, 5), *g = new_float((size_t)m * m, 6), last = 1;
    int w;
#pragma stencil
    for (w = 0; w < n / 2 && last > 1e-4f; w++) {
        last = relax(f, g, m, 0.9);
    }
    printf("%d %a\n", w, last);
    show_float("f", f, (size_t)m * m);
    show_float("g", g, (size_t)m * m);
    return 0;
}
