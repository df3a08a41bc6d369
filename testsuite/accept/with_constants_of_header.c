// A function of another file uses constants that a header gives to both files; the nest uses them, too.
// form: calls: #include "with/lattice.h"
// args: 19 6 ; 4 1
// with: with/lattice.c
#include "dump.h"
#include "with/lattice.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), steps = argument(argc, argv, 2, 5);
    double(*f)[LINKS] = (double(*)[LINKS])new_double((size_t)n * LINKS, 1);
    double(*g)[LINKS] = (double(*)[LINKS])new_double((size_t)n * LINKS, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        relax(n, f);
        for (int i = 1; i < n - 1; i++)
            for (int k = 0; k < LINKS; k++)
                g[i + links[k].along][k] = f[i][k] * (1 - rate[k]);
        for (int i = 1; i < n - 1; i++)
            for (int k = 0; k < LINKS; k++)
                f[i][k] = g[i][k];
    }
    show_double("f", f[0], (size_t)n * LINKS);
    show_double("g", g[0], (size_t)n * LINKS);
    return 0;
}
