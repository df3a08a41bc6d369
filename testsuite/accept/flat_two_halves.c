// A grid and the one after it are the halves of one allocation, a plane apart; the size of a plane is a variable of its own.
// args: 17 21 5 ; 9 9 3 ; 3 4 7 ; 1 1 2
// form: subscripts: a[plane + k] = 0.25 * (a[k - m] + a[k + m] + a[k - 1] + a[k + 1]);
#include "dump.h"

static void there_and_back(double *a, size_t n, size_t m, size_t steps)
{
    const size_t plane = n * m;
#pragma stencil
    for (size_t t = 0; t < steps; t++) {
        for (size_t i = 1; i + 1 < n; i++)
            for (size_t j = 1; j + 1 < m; j++) {
                const size_t k = i * m + j;
                a[plane + k] = 0.25 * (a[k - m] + a[k + m] + a[k - 1] + a[k + 1]);
            }
        for (size_t i = 1; i + 1 < n; i++)
            for (size_t j = 1; j + 1 < m; j++) {
                const size_t k = plane + i * m + j;
                a[k - plane] = 0.25 * (a[k - m] + a[k + m] + a[k - 1] + a[k + 1]);
            }
    }
}

/* What is added is a number of whole rows and no plane. */
static void last_row(double *a, int n, int m, int steps)
{
    const int last = (n - 1) * m;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int j = 1; j < m - 1; j++)
            a[last + j] = 0.5 * a[last - m + j];
        for (int j = 1; j < m - 1; j++)
            a[last - m + j] = 0.5 * (a[last + j] - 1);
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 21), steps = argument(argc, argv, 3, 5);
    size_t all = 2 * (size_t)n * (size_t)m;
    double *a = new_double(all, 1);
    there_and_back(a, (size_t)n, (size_t)m, (size_t)steps);
    show_double("halves", a, all);
    if (n > 1)
        last_row(a, n, m, steps);
    show_double("rows", a, all);
    return 0;
}
