// The host reads and stores rows, columns and boxes of arrays whose rows are found through tables of pointers, which it exchanges:
// what the loops show of these rows comes and goes, and no more.
// args: 24 40 ; 17 9 ; 40 77 ; 9 33
// form: loops that the host keeps: for (int j = 0; j < n; j++) printf(" %.17g", u[k][j]);
// form: loops that the host keeps: for (int i = 1; i < n; i++) v[i][0] = drand48();
#include "dump.h"

double drand48(void);

static double **new_rows(int n, int seed)
{
    double **rows = malloc((size_t)n * sizeof *rows), *memory = new_double((size_t)n * n, seed);
    for (int i = 0; i < n; i++)
        rows[i] = memory + (size_t)(n - 1 - i) * n;
    return rows;
}

static double sum_of(double **rows, int from, int to, int most)
{
    double sum = 0;
    for (int i = from; i <= to; i++)
        for (int j = 1; j < most; j++)
            sum += rows[i][j];
    return sum;
}

static void fill(double **rows, int n)
{
    for (int j = 0; j < n; j++)
        rows[0][j] = drand48();
    for (int i = 1; i < n - 1; i++)
        rows[i][n - 1] = drand48();
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 24), steps = argument(argc, argv, 2, 40);
    double **u = new_rows(n, 1), **v = new_rows(n, 2), **w, last = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i][j] = 0.25 * (u[i][j - 1] + u[i][j + 1] + u[i - 1][j] + u[i + 1][j]);
        w = u;
        u = v;
        v = w;
        int k = t % n;
        if (t % 4 == 1) {
            for (int j = 0; j < n; j++)
                printf(" %.17g", u[k][j]);
            printf("\n");
        }
        if (t % 5 == 0)
            for (int j = 1; j < n - 1; j++)
                u[n - 1][j] = drand48();
        if (t % 7 == 2)
            for (int i = 1; i < n; i++)
                v[i][0] = drand48();
        if (t % 9 == 3)
            fill(u, n);
        if (t % 6 == 4)
            last += sum_of(u, 2, n - 3, 4) + sum_of(v, k / 2, k / 2, n - 1);
        if (t % 8 == 5)
            for (int i = 0; i < n; i++)
                last += u[i][n / 2];
        if (t % 11 == 6)
            for (int i = 3; i < 6; i++)
                for (int j = 2; j < n - 2; j++)
                    u[i][j] += last > 0 ? drand48() : 1;
    }
    printf("%.17g\n", last);
    for (int i = 0; i < n; i++) {
        show_double("u", u[i], (size_t)n);
        show_double("v", v[i], (size_t)n);
    }
    return 0;
}
