// What a step declares is needed by the host behind it: it is declared before the step.
// args: 20 60 1e-3 ; 20 7 0.5 ; 33 9 0 ; 9 1 1
// form: loops that the host keeps: const int is_settled = step(n, u, v, limit);
#include "dump.h"
#include <math.h>

static int step(int n, double (*a)[n], double (*b)[n], double limit)
{
    int is_settled = 1;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            b[i][j] = 0.2 * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
            if (is_settled && fabs(a[i][j] - b[i][j]) > limit)
                is_settled = 0;
        }
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            a[i][j] = b[i][j];
    return is_settled;
}

static double largest(int n, double (*a)[n], double (*b)[n])
{
    double most = 0;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            b[i][j] = a[i][j] + 0.1 * (a[i + 1][j] - a[i][j]);
            most = fmax(most, fabs(b[i][j] - a[i][j]));
        }
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            a[i][j] = b[i][j];
    return most;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), most = argument(argc, argv, 2, 60), t;
    double limit = argc > 3 ? atof(argv[3]) : 1e-3;
    double (*u)[n] = (double (*)[n])new_double((size_t)(n * n), 1);
    double (*v)[n] = (double (*)[n])new_double((size_t)(n * n), 2);
#pragma stencil
    for (t = 0; t < most; t++) {
        const int is_settled = step(n, u, v, limit);
        if (is_settled) {
            printf("settled\n");
            break;
        }
    }
    printf("%d\n", t);
#pragma stencil
    for (t = 0; t < most; t++) {
        double change = largest(n, u, v);
        printf("%a\n", change);
        if (change < limit)
            break;
    }
    show_double("u", *u, (size_t)(n * n));
    show_double("v", *v, (size_t)(n * n));
    return 0;
}
