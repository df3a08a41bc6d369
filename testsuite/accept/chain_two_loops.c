// Nests one after another, with nothing between them that needs arrays: they stay on the device, with their different borders.
// args: 17 19 5 4 ; 12 33 3 1 ; 9 8 1 0 ; 3 3 2 2 ; 2 5 1 1
// notes: what this nest computes stays on the device for the next one
// form: loops that the host keeps: #pragma stencil
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 19);
    int first = argument(argc, argv, 3, 5), second = argument(argc, argv, 4, 4), t, i, j;
    double(*a)[m] = (void *)new_double((size_t)n * m, 1), (*b)[m] = (void *)new_double((size_t)n * m, 2);
    double(*c)[m] = (void *)new_double((size_t)n * m, 3);
#pragma stencil
    for (t = 0; t < first; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) + c[i][j];
        double(*swapped)[m] = a;
        a = b;
        b = swapped;
    }
    printf("first until %d\n", t);
    if (first % 2)
        printf("odd\n");
#pragma stencil
    for (i = 2; i < n - 1; i++)
        for (j = 0; j < m - 2; j++)
            b[i][j] = a[i][j] - 0.5 * c[i][j] + 0.125 * a[i - 2][j + 2];
#pragma stencil
    for (t = 0; t < second; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                a[i][j] = 0.2 * (b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1] + b[i][j]);
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                b[i][j] = a[i][j];
    }
    printf("second until %d\n", t);
    show_double("a", &a[0][0], (size_t)n * m);
    show_double("b", &b[0][0], (size_t)n * m);
    show_double("c", &c[0][0], (size_t)n * m);
    return 0;
}
