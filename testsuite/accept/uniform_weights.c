// Elements that all cells share: weights behind a pointer, in a row that a variable chooses, at an address of their own.
// form: subscripts: w[kind][0]
// args: 17 9 5 1 ; 8 31 3 0 ; 2 7 4 2 ; 12 12 0 0
#include "dump.h"

struct tables {
    float (*of_row)[3];
    const double *middle;
};

/* With too few rows no point is computed, and the tables need not exist. */
static void smooth(int n, int m, int steps, int kind, double a[n][m], double b[n][m], struct tables *t,
                   const unsigned char *mask)
{
    float(*w)[3] = t->of_row;
    const double *c = t->middle;

#pragma stencil
    for (int step = 0; step < steps; step++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = c[0] * a[i][j] + w[kind][0] * (a[i - 1][j] + a[i + 1][j]) + w[kind][2] * a[i][j - 1]
                          + w[1][2] * mask[n] * a[i][j + 1];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                if (i < 5)
                    a[i][j] = b[i][j] - c[0] * 0.125 + c[kind + 1];
                else
                    a[i][j] = b[i][j] * c[0];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5), kind = argument(argc, argv, 4, 1);
    double a[n][m], b[n][m];
    double middle[] = {0.375, -0.0, 0.0625, 0.25};
    float rows[3][3] = {{0.25f, 0.5f, 0.125f}, {0.3f, 0.1f, 0.2f}, {-0.5f, 0.7f, 0.9f}};
    unsigned char mask[100] = {0};
    struct tables tables = {rows, middle};

    mask[n] = 3;
    if (n < 3 || steps == 0)
        tables = (struct tables){0, 0};
    fill_double(&a[0][0], (size_t)n * m, 1);
    fill_double(&b[0][0], (size_t)n * m, 2);
    smooth(n, m, steps, kind, a, b, &tables, n < 3 ? 0 : mask);
    show_double("a", &a[0][0], (size_t)n * m);
    show_double("b", &b[0][0], (size_t)n * m);
    return 0;
}
