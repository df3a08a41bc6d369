// Cells that are structures, found through tables of rows: a plane of a scheme with coefficients in the cells, rows exchanged as
// a whole, and planes of rows.
// form: structures: e[i][j].ex = e[i][j].c * e[i][j].ex + h[i][j].hz - h[i][j - 1].hz;
// form: structures: to[i][j].f[k] = 0.5 * (from[i - 1][j].f[k] + from[i][j + 1].f[k]);
// args: 6 13 11 ; 1 4 5
#include "dump.h"

struct cell {
    double ex, c, ey;
    int kind, id;
};

typedef struct {
    double hz, c;
} magnetic;

typedef struct {
    double f[3];
} site;

static void electric(int n, int m, struct cell **e, magnetic *const *h)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            e[i][j].ex = e[i][j].c * e[i][j].ex + h[i][j].hz - h[i][j - 1].hz;
            struct cell *row = e[i];
            row[j].ey -= 0.25 * (h[i][j].hz - h[i - 1][j].hz);
        }
}

static void shift(int n, int m, site **from, site **to)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            for (int k = 0; k < 3; k++)
                to[i][j].f[k] = 0.5 * (from[i - 1][j].f[k] + from[i][j + 1].f[k]);
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 6), n = argument(argc, argv, 2, 13), m = argument(argc, argv, 3, 11);
    struct cell *cells = (struct cell *)new_double(n * m * 4, 1), *e[40], **planes[2];
    magnetic *fields = (magnetic *)new_double(n * m * 2, 2), *h[40];
    site *first = (site *)new_double(n * m * 3, 3), *second = (site *)new_double(n * m * 3, 4), *a[40], *b[40];
    site **from = a, **to = b;
    for (int i = 0; i < n; i++) {
        e[i] = cells + (n - 1 - i) * m;
        h[i] = fields + i * m;
        a[i] = first + i * m;
        b[i] = second + i * m;
    }
    planes[0] = e + 1;
    planes[1] = e;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        electric(n, m, e, h);
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++)
                h[i][j].hz -= h[i][j].c * (e[i][j + 1].ex - e[i][j].ex + e[i + 1][j].ey - e[i][j].ey);
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        shift(n, m, from, to);
        site **other = from;
        from = to;
        to = other;
    }
    struct cell ***p = planes;
#pragma stencil
    for (int i = 0; i < 1; i++)
        for (int j = 0; j < n - 1; j++)
            for (int k = 0; k < m; k++)
                h[j][k].c = p[i][j][k].ex * p[i][j][k].c;
    show_double("cells", (double *)cells, n * m * 4);
    show_double("fields", (double *)fields, n * m * 2);
    show_double("first", (double *)first, n * m * 3);
    show_double("second", (double *)second, n * m * 3);
    printf("%d\n", from == a);
    return 0;
}
