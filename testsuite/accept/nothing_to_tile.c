// Every step stores the same constants, so time tiles have nothing to compute; the last step does all.
// args: 11 12 7 ; 4 3 1
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 9), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    double *a = malloc((size_t)n * m * sizeof *a);

    fill_double(a, (size_t)n * m, 1);
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 1; i != n - 1; ++i)
            for (int j = 1; j < m - 1; j++)
                a[i * m + j] = 1;
    show_double("a", a, (size_t)n * m);
    free(a);
    return 0;
}
