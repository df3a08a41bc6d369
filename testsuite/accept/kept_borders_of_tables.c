// Between steps, the host stores in the border of rows behind tables of pointers whose inner elements only the device has.
// args: 19 22 2 ; 12 9 8 ; 7 7 4
// form: loops that the host keeps: if (t % 3 == 1) b[n / 2][m - 1] = 3;
#include "rows.h"

static void advance(int n, int m, int steps, double **a, double **b)
{
    int t = 0;
#pragma stencil
    while (t < steps) {
        for (int i = 2; i < n - 2; i++)
            for (int j = 2; j < m - 2; j++)
                a[i][j] = b[i][j + 2] + b[i + 2][j] / 2 + b[i - 2][j];
        if (t % 4 == 2)
            printf("step %d\n", t);
        for (int i = 2; i < n - 2; i++)
            for (int j = 2; j < m - 2; j++)
                b[i][j] = b[i][j] / 2;
        if (t % 3 == 1)
            b[n / 2][m - 1] = 3;
        t++;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 33), m = argument(argc, argv, 2, 21), steps = argument(argc, argv, 3, 5);
    double **a = new_rows(n, m, 1), **b = new_rows(n, m, 2);
    advance(n, m, steps, a, b);
    show_rows("a", a, n, m);
    show_rows("b", b, n, m);
    free_rows(a, n);
    free_rows(b, n);
    return 0;
}
