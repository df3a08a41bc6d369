// The host prints, looks at elements now and then and makes a number between the sweeps of a step; it may leave the loop there.
// args: 19 23 41 ; 8 9 3 ; 33 17 0 ; 12 30 90
// form: loops that the host keeps: double by = weight(t);
#include "dump.h"

static double weight(int t)
{
    if (t % 7 == 0)
        printf("step %d\n", t);
    return 1.0 / (2 + t / 9 % 3);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), m = argument(argc, argv, 2, 23), steps = argument(argc, argv, 3, 41);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2), *c = new_double((size_t)n * m, 3);
    double w = 0.25;
    int i, j, k;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                b[i * m + j] = w * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
        if (t % 12 == 8)
            printf("%d: %.17g\n", t, b[m + 2]);
        double by = weight(t);
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                c[i * m + j] = by * b[i * m + j] - b[i * m + j - 1] * 0.125;
        for (k = 0; k < t % 3; k++)
            putchar('.');
        if (t == 77)
            break;
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                a[i * m + j] = c[i * m + j] + 0.1 * a[i * m + j];
    }
    putchar('\n');
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    show_double("c", c, (size_t)n * m);
    return 0;
}
