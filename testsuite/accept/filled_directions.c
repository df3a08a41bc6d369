// The directions of a lattice in tables that the program fills: element by element in a function of its own and in that of the
// nest, and by a search for opposite directions.
// form: subscripts: h[opposite[k]][i][j]
// form: subscripts: if (to < 0) to = NX - 1;
// args: 6 ; 1
#include "dump.h"

enum { NX = 10, NY = 9, Q = 9 };

static int cx[Q], cy[Q], opposite[Q];
static double f[Q][NX][NY], h[Q][NX][NY];

static void directions(void)
{
    cx[0] = 0; cx[1] = 1; cx[2] = 0; cx[3] = -1; cx[4] = 0; cx[5] = 1; cx[6] = -1; cx[7] = -1; cx[8] = 1;
    for (int k = 0; k < Q; k++)
        cy[k] = (k == 2 || k == 5 || k == 6) - (k == 4 || k > 6);
    for (int k = 0; k < Q; k++)
        for (int m = k; m < Q; m++)
            if (cx[k] + cx[m] == 0 && cy[k] + cy[m] == 0) {
                opposite[k] = m;
                opposite[m] = k;
            }
}

static void flow(int steps)
{
    int to, at;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < NX; i++)
            for (int j = 1; j < NY - 1; j++) {
                double rho = 0, ux = 0;
                for (int k = 0; k < Q; k++) {
                    rho += f[k][i][j];
                    ux += f[k][i][j] * cx[k];
                }
                for (int k = 0; k < Q; k++)
                    h[k][i][j] = 0.4 * f[k][i][j] + 0.06 * (rho + 3 * cx[k] * ux);
            }
        for (int i = 0; i < NX; i++)
            for (int j = 1; j < NY - 1; j++)
                for (int k = 0; k < Q; k++) {
                    to = i + cx[k];
                    at = j + cy[k];
                    if (to < 0) to = NX - 1;
                    if (to > NX - 1) to = 0;
                    f[k][to][at] = h[k][i][j];
                }
        for (int i = 1; i < NX - 1; i++)
            for (int k = 0; k < Q; k++) {
                const int j = 1;
                f[k][i][j] = 0.5 * (f[k][i][j] + h[opposite[k]][i][j]);
            }
    }
}

static void spread(int n, int steps, double *a, double *b)
{
    signed char shift[3];
    shift[0] = shift[1] = 0;
    shift[0]++;
    shift[2] = -2 + 1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                sum += a[i + shift[k]];
            b[i] = sum / 3;
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 6), n = 40;
    double *first = new_double(Q * NX * NY, 1), *a = new_double(n, 2), *b = new_double(n, 3);
    memcpy(f, first, sizeof f);
    directions();
    flow(steps);
    spread(n, steps, a, b);
    show_double("f", &f[0][0][0], Q * NX * NY);
    show_double("a", a, n);
    return 0;
}
