// Arrays have two dimensions or three, as a member says; what stands at the walls needs the ends of rows and planes.
// args: 9 8 7 2 5 ; 9 8 7 3 5 ; 5 12 6 3 9 ; 6 5 12 1 4
// form: subscripts: b[(i*m + m - 1)*(l - 1) + k] = c[i*(l - 1) + k] + a[(i*m + m - 2)*(l - 1) + k];
#include "dump.h"

struct grid { int dimensions, n, m, l; };

static void spread(const struct grid *g, double *a, double *b)
{
    int i, j, k, n = g->n, m = g->m, l = g->l;
    if (g->dimensions == 2) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                b[i*m + j] = 0.25 * (a[i*m + j - 1] + a[i*m + j + 1] + a[(i - 1)*m + j] + a[(i + 1)*m + j]);
    } else if (g->dimensions == 3) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                for (k = 1; k < l - 2; k++)
                    b[(i*m + j)*(l - 1) + k] = 0.5 * (a[(i*m + j - 1)*(l - 1) + k] + a[(i*m + j + 1)*(l - 1) + k]);
    }
}

static void walls(const struct grid *g, double *a, double *b, double *c)
{
    int i, k, n = g->n, m = g->m, l = g->l;
    for (i = 0; i < n; i++)
        for (k = 0; k < l - 1; k++) {
            b[(i*m + m - 1)*(l - 1) + k] = c[i*(l - 1) + k] + a[(i*m + m - 2)*(l - 1) + k];
            c[i*(l - 1) + k] = 0.5 * a[(i*m + m - 2)*(l - 1) + k];
        }
}

int main(int argc, char **argv)
{
    struct grid g = { argument(argc, argv, 4, 3), argument(argc, argv, 1, 9), argument(argc, argv, 2, 8),
                      argument(argc, argv, 3, 7) };
    int steps = argument(argc, argv, 5, 5);
    size_t count = (size_t)(g.n * g.m * g.l);
    double *a = new_double(count, 1), *b = new_double(count, 2), *c = new_double((size_t)(g.n * g.l), 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        spread(&g, a, b);
        if (g.dimensions == 3)
            walls(&g, a, b, c);
        double *next = b;
        b = a;
        a = next;
    }
    show_double("a", a, count);
    show_double("b", b, count);
    show_double("c", c, (size_t)(g.n * g.l));
    return 0;
}
