// Sizes of clauses are macros, each with the definition that holds at the pragma; pointers to rows have sizes, too.
// args: 5 ; 2
// flags: -DNY=19
#include "dump.h"

#define SQUARE(n) ((n) * (n))
#define NX 37
#define DEPTH (2)
#define rows 9999 /* no macro where it is a word */

static void choose(int steps, double *p, const double *q)
{
#pragma stencil extent(q[0:SQUARE(NX)]) \
    time_tile(DEPTH)
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < NX - 1; i++)
            if (p[i] > 0.0)
                p[i] = 0.5 * p[i] + q[i * NX + NX - 1];
}

#undef NX
#define NX 23

static void columns(int m, float (*p)[m], const float (*q)[m], const float (*w)[NX])
{
#pragma stencil extent(q[0:2 * NX][0:m], w[0:SQUARE(2)][0:NX]) strategy(rows)
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < m; j++)
            if (p[i][j] > 0.0f)
                p[i][j] = q[2 * i][j] - w[3][i];
}

static void flat(const double *a, double *b)
{
#pragma stencil extent(a[0:NY][0:NX]) tile(NX)
    for (int i = 0; i < NY; i++)
        for (int j = 0; j < NX; j++)
            if (b[i * NX + j] < 0.25)
                b[i * NX + j] = a[i * NX + j] + 1.0;
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5), m = 11;
    double *p = new_double(37, 1), *q = new_double(37 * 37, 2), *b = new_double(NX * NY, 3);
    float *f = new_float(NX * m, 4), *g = new_float(2 * NX * m, 5), *w = new_float(4 * NX, 6);
    choose(steps, p, q);
    columns(m, (float (*)[m])f, (const float (*)[m])g, (const float (*)[NX])w);
    flat(q, b);
    show_double("p", p, 37);
    show_float("f", f, NX * m);
    show_double("b", b, NX * NY);
    return 0;
}
