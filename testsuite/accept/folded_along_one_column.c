// A number that the first column alone gives, beside a sweep over cells of two components.
// args: 20 19 8 ; 12 9 3
#include "dump.h"

struct pair {
    double now, before;
};

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), m = argument(argc, argv, 2, 19), steps = argument(argc, argv, 3, 8), last = 1;
    double *memory = new_double(2 * n * m, 1);
    struct pair (*a)[m] = (struct pair (*)[m])memory;
    int *c = new_int(n * m, 2), *d = new_int(n * m, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j].before = a[i][j].now;
        for (int i = 4; i < n - 4; i++)
            for (int j = m / 2; j < m - 1; j++) {
                if (j == m / 2 && t >= 1)
                    last = c[(i - 4) * m + j] % 97;
                d[i * m + j] = c[i * m + j + 1] / 4;
            }
    }
    printf("%d\n", last);
    show_double("a", memory, 2 * n * m);
    show_int("d", d, n * m);
    free(memory);
    free(c);
    free(d);
    return 0;
}
