// A sum and a count behind pointers that only the step itself sets, the first beside a loop of unknown length at each point.
// args: 40 30 1 ; 40 30 5 3 ; 90 21 8 5
// notes: the device runs this nest only where `length <= 33`
// form: loops that the host keeps: *beyond = 0;
#include "dump.h"
#include <math.h>

static void relax(int n, int m, int steps, int length, double *a, double *b, const double *w, double *change, int *beyond)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        *change = 0;
        for (int i = 6; i < n - 6; i++)
            for (int j = 6; j < m - 6; j++) {
                double sum = 0;
                for (int k = 0; k < length; k++)
                    sum += w[k] * a[(i + k) * m + j];
                b[i * m + j] = 0.25 * sum;
                *change += fabs(b[i * m + j] - a[i * m + j]);
            }
        *beyond = 0;
        for (int i = 6; i < n - 6; i++)
            for (int j = 6; j < m - 6; j++)
                if (b[i * m + j] > a[i * m + j])
                    (*beyond)++;
        for (int i = 6; i < n - 6; i++)
            for (int j = 6; j < m - 6; j++)
                a[i * m + j] = b[i * m + j];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), m = argument(argc, argv, 2, 30), steps = argument(argc, argv, 3, 5);
    int length = argument(argc, argv, 4, 4), beyond = -1;
    double *a = new_double(n * m, 1), *b = new_double(n * m, 2), *w = new_double(length, 3), change = -1;
    relax(n, m, steps, length, a, b, w, &change, &beyond);
    show_double("a", a, n * m);
    printf("%a %d\n", change, beyond);
    relax(n, m, 0, length, a, b, w, NULL, NULL);
    return 0;
}
