// Arrays that keep a row for each step, and a host that prints, sums, stores elements of rows or leaves the loop between the steps.
// form: time levels: make_row(h[t], h[t + 1], m);
// args: 19 12 ; 40 3 ; 7 2
#include "dump.h"

#define AT(t, i, j) flat[((t) * n + (i)) * n + (j)]

static void make_row(const double *from, double *to, int m)
{
    for (int i = 1; i < m - 1; i++)
        to[i] = 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1];
    to[0] = from[0];
}

int main(int argc, char **argv)
{
    int m = argument(argc, argv, 1, 19), steps = argument(argc, argv, 2, 12), n = m / 2 + 3;
    double(*h)[m] = malloc((steps + 1) * sizeof *h), *flat = malloc((size_t)(steps + 3) * n * n * sizeof *flat);
    fill_double(h[0], (size_t)(steps + 1) * m, 1);
    fill_double(flat, (size_t)(steps + 3) * n * n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        make_row(h[t], h[t + 1], m);
        printf("%d: %.17g\n", t, h[t + 1][m / 2]);
    }
    show_double("h", h[0], (size_t)(steps + 1) * m);
    double sum = 0;
#pragma stencil
    for (int t = 1; t <= steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                AT(t + 1, i, j) = 2 * AT(t, i, j) - AT(t - 1, i, j) + 0.1 * (AT(t, i - 1, j) + AT(t, i, j + 1));
        sum = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                sum += AT(t + 1, i, j) * AT(t + 1, i, j);
        AT(t + 1, n / 2, 1) = 1.0 / t;
        if (t % 3 == 0)
            printf("%d: %.17g\n", t, sum);
        if (sum > 1e30)
            break;
    }
    show_double("flat", flat, (size_t)(steps + 3) * n * n);
#pragma stencil
    for (int t = steps; t > 1; t -= 2) {
        for (int i = 1; i < m - 1; i++)
            h[t - 2][i] = h[t][i - 1] - 0.5 * h[t - 1][i] + h[t][i + 1];
        printf("%d\n", t);
    }
    show_double("h", h[0], (size_t)(steps + 1) * m);
    printf("%.17g\n", sum);
    return 0;
}
