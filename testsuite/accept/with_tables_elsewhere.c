// Tables of directions that a header declares and another file of the program defines.
// form: subscripts: g[(k * n + i - along[k]) * m + j - across[k]]
// args: 12 9 7 ; 4 4 2 ; 3 5 1
// with: with/directions.c
#include "dump.h"
#include "with/directions.h"
int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 12), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 7);
    double *f = new_double(WAYS * n * m, 1), *g = new_double(WAYS * n * m, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        stream(n, m, f, g);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 0; k < WAYS; k++)
                    g[(k * n + i) * m + j] = 0.75 * f[(k * n + i) * m + j];
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 0; k < WAYS; k++)
                    f[(k * n + i) * m + j] = g[(k * n + i - along[k]) * m + j - across[k]];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 0; k < WAYS; k++)
                    g[(k * n + i) * m + j] = 0.5 * f[(k * n + i) * m + j];
    }
    show_double("f", f, WAYS * n * m); show_double("g", g, WAYS * n * m);
    return 0;
}
