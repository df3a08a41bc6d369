// The host gets its arrays first, and then asks what the step before has folded.
// args: 70 80 20 ; 70 80 3 ; 5 6 4
#include <math.h>
#include "dump.h"

static double look(int n, const double *a) { return a[n / 2] + a[n / 3]; }

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 70), m = argument(argc, argv, 2, 80), steps = argument(argc, argv, 3, 20);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    double most = 0, sum = 0, squares = 0, seen = 0;
    const double *volatile shown = a;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        most = 0;
        sum = 0;
        squares = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
                most = fmax(most, b[i * m + j]);
                sum += b[i * m + j];
                squares += b[i * m + j] * b[i * m + j];
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i * m + j] = b[i * m + j];
        if (t % 5 == 3)
            seen += look(n * m, shown);
        if (t % 5 == 3)
            printf("%d %a %a\n", t, sum, most);
        if (squares < 1)
            break;
    }
    printf("%a %a %a %a\n", most, sum, squares, seen);
    show_double("a", a, (size_t)n * m);
    return 0;
}
