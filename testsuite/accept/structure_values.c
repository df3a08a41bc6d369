// Structures as values: points that are read and stored as a whole, functions that return them or take local arrays.
// args: 23 4
#include "dump.h"

typedef struct {
    double x, y;
} pair;

typedef struct {
    double f[4], rho;
} cell;

static pair sum(pair p, pair q) { return (pair){ p.x + q.x, p.y + q.y }; }

static pair ordered(const pair *p, int i)
{
    pair q = p[i];
    if (q.x < q.y)
        return q;
    pair turned = { q.y, q.x };
    return turned;
}

static void weights(double *w, const double *f, double rho)
{
    for (int k = 0; k < 4; k++)
        w[k] = f[k] * 0.25 + rho * k;
}

static void scaled(double *w, const double *f, double by)
{
    w[0] = f[0] * by;
    w[1] = f[3] * by;
}

static double dot(const double u[4], double (*rows)[2])
{
    double s = 0;
    int k;
    for (k = 0; k < 4; k++)
        s += u[k] * rows[k / 2][k % 2];
    return s / k;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 23), steps = argument(argc, argv, 2, 4);
    pair *p = (pair *)new_double(2 * n, 1), *q = (pair *)new_double(2 * n, 2);
    cell *c = (cell *)new_double(5 * n, 3), *d = (cell *)new_double(5 * n, 4);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            pair s = sum(p[i - 1], ordered(p, i + 1));
            s.x *= 0.5;
            q[i] = s;
        }
        for (int i = 1; i < n - 1; i++)
            p[i] = q[i];
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            double w[4], rows[2][2] = { { 1, 2 }, { 3, 4 } };
            weights(w, c[i - 1].f, c[i].rho);
            scaled(rows[1], c[i + 1].f, 0.5);
            *(w + 1) += sum(p[i], q[i]).y;
            for (int k = 0; k < 4; k++)
                d[i].f[k] = w[k];
            d[i].rho = dot(w, rows) * 0.125;
        }
        for (int i = 1; i < n - 1; i++)
            c[i] = d[i];
    }
    show_double("p", (double *)p, 2 * n);
    show_double("q", (double *)q, 2 * n);
    show_double("c", (double *)c, 5 * n);
    show_double("d", (double *)d, 5 * n);
    return 0;
}
