// Places of flat arrays in the last row of a plane, in its middle or beside it belong to the rows that the loops give.
// form: subscripts: b[(n / 2 * m + m - 1) * p + p / 2]
// args: 9 7 6 5 ; 5 4 5 2 ; 1 1 1 4
#include "dump.h"

static void blocks(int n, int m, int p, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < p - 1; k++)
                    a[(i * m + j) * p + k] = 0.5 * (b[(i * m + j - 1) * p + k] + b[((i + 1) * m + j) * p + k - 1]);
        a[(0 * m + m / 2) * p + p - 1] = t;
        b[(n / 2 * m + m - 1) * p + p / 2] = a[(0 * m + m / 2) * p + p - 1] + 1;
        if (m > 4)
            b[((n - 1) * m + m - 1) * p + p / 2 - 1] = a[((n / 2) * m + m / 2 + 1) * p + p - 2];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < p - 1; k++)
                    b[(i * m + j) * p + k] = a[(i * m + j) * p + k];
    }
}

static void rows(int n, int m, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m + 1; j++)
                a[i * (m + 1) + j] = 0.5 * (b[(i - 1) * (m + 1) + j] + b[(n / 2) * (m + 1) + m]);
        if (t % 3 == 0)
            printf("%d %a\n", t, a[n / 2 * (m + 1) + (m + 1) / 2]);
        b[(n - 1) * (m + 1) + (m + 1) / 2] = 1;
        double *old = a;
        a = b;
        b = old;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 9), m = argument(argc, argv, 2, 9), p = argument(argc, argv, 3, 8);
    int steps = argument(argc, argv, 4, 5);
    size_t count = (size_t)n * m * p, few = (size_t)n * (m + 1);
    double *a = new_double(count, 1), *b = new_double(count, 2), *c = new_double(few, 3), *d = new_double(few, 4);
    blocks(n, m, p, steps, a, b);
    rows(n, m, steps, c, d);
    show_double("a", a, count);
    show_double("b", b, count);
    show_double("c", c, few);
    show_double("d", d, few);
    return 0;
}
