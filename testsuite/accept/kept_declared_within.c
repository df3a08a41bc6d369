// A step declares between its sweeps what it folds: the host folds it.
// args: 60 70 0.3 ; 9 12 0.1
#include <math.h>
#include "dump.h"

#define AT(i, j) ((i) * m + (j))

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 60), m = argument(argc, argv, 2, 70), steps = 0;
    double tol = argc > 3 ? atof(argv[3]) : 0.3;
    double *now = new_double((size_t)n * m, 1), *next = new_double((size_t)n * m, 2);
#pragma stencil
    for (;;) {
        steps++;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                next[AT(i, j)] = (now[AT(i - 1, j)] + now[AT(i + 1, j)] + now[AT(i, j - 1)] + now[AT(i, j + 1)]) * 0.25;
        double most = -1;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                int at = AT(i, j);
                most = fmax(most, fabs(now[at] - next[at]));
            }
        double *other = now;
        now = next;
        next = other;
        if (most < tol || steps == 30)
            break;
    }
    printf("%d\n", steps);
    show_double("now", now, (size_t)n * m);
    show_double("next", next, (size_t)n * m);
    return 0;
}
