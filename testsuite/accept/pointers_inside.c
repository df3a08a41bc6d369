// Pointers within a nest: moved by assignments, added from the left, the same in both branches, through `void *`, chained.
// form: subscripts: double *row = (double *)b;
// form: subscripts: above -= m;
// args: 13 9 4 ; 6 21 3
#include "dump.h"

typedef double real, re;

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 13), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 4);
    double *a = new_double(n * m, 1), *b = new_double(n * m, 2);
    double first, second;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            typedef const real *row_of_reals;
            enum { WEST = 1, EAST };
            row_of_reals above = a + i * m, here = i * m + a, below = here;
            double *row = (double *)b;
            above -= m;
            below += 2 * m;
            below -= m;
            row += i * m;
            for (int j = 1; j < m - 1; j++) {
                double third = { (real)(above[j]) };
                first = second = (re)(third);
                (void)first;
                if (t % 2)
                    second += t;
                if (1)
                    first += *(j + below);
                if (0)
                    first = 7;
                else
                    second += j[here];
                (void)(row[j] = 0.25 * (first + second) + here[j - WEST] * 0.125 + here[j + EAST - 1] * 0.0625);
                do {
                    row[j] *= 0.5, row[j] += t;
                } while (0);
                ;
            }
        }
        memcpy((void *)a, (const void *)b, sizeof(double) * n * m);
    }
    show_double("a", a, n * m);
    show_double("b", b, n * m);
    free(a); free(b);
    return 0;
}
