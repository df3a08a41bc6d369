// Loops over space without steps that fold sums, maxima and conditions over their points.
// args: 70 80 ; 3 4 ; 2 9 ; 12 70
// form: sums, maxima and counts over points: if (b[i][j] - a[i][j] > most)
#include "dump.h"

static double sweep(int n, int m, double (*a)[m], double (*b)[m], double *sum)
{
    double most = 0, total = 1;
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        for (int j = 1; j < m - 1; j++) {
            b[i][j] = 0.5 * (a[i - 1][j] + a[i + 1][j]);
            if (b[i][j] - a[i][j] > most)
                most = b[i][j] - a[i][j];
            total += b[i][j];
        }
    }
    *sum = total;
    return most;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 70), m = argument(argc, argv, 2, 80), is_odd = 0;
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2), sum;
    long above = 5;
    for (int k = 0; k < 3; k++) {
        double most = sweep(n, m, (double (*)[m])a, (double (*)[m])b, &sum);
        printf("%a %a\n", most, sum);
#pragma stencil
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                a[i * m + j] = b[i * m + j] * 0.5;
                if (a[i * m + j] > 0.1) {
                    above++;
                    is_odd = 1;
                }
            }
        printf("%ld %d\n", above, is_odd);
    }
    for (int k = 3; k >= 2; k--) {
        double most = sweep(k, m, (double (*)[m])a, (double (*)[m])b, &sum);
        printf("%a %a\n", most, sum);
    }
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
