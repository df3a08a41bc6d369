// A loop that the host keeps, whose steps read variables with names that drivers might like for themselves.
// args: 14 9 7 ; 30 4 5
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 14), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 7);
    int given = n / 2, arguments = 3, first = 1, now = 2;
    double recording = 0.25;
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = first; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = a[i * m + j] + recording / steps * (a[(i - 1) * m + j] + a[(i + 1) * m + j] - a[i * m + j - 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i * m + j] = b[i * m + j] / now + (i == given ? arguments : 0);
        if (t % 3 == 0)
            printf("%a\n", a[given * m + m / 2]);
        recording = recording * 0.5 + 0.125;
    }
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
