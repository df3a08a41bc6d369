// Loop variables of type size_t.
// form: loops: for (size_t i = 1; i + 1 < n; ++i)
// args: 17 9 5 ; 8 31 3
#include "dump.h"

static void smooth(size_t n, size_t m, size_t steps, double *a, double *b)
{
#pragma stencil
    for (size_t t = 0; t < steps; ++t) {
        for (size_t i = 1; i + 1 < n; ++i)
            for (size_t j = 1; j + 1 < m; ++j)
                b[i * m + j] = 0.25 * (a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j]
                                       + a[(i + 1) * m + j]);
        for (size_t i = 1; i + 1 < n; ++i)
            for (size_t j = 1; j + 1 < m; ++j)
                a[i * m + j] = b[i * m + j];
    }
}

int main(int argc, char **argv)
{
    size_t n = (size_t)argument(argc, argv, 1, 17), m = (size_t)argument(argc, argv, 2, 9);
    size_t steps = (size_t)argument(argc, argv, 3, 5);
    double *a = new_double(n * m, 1), *b = new_double(n * m, 2);
    smooth(n, m, steps, a, b);
    show_double("a", a, n * m);
    show_double("b", b, n * m);
    return 0;
}
