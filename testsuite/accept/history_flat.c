// A history in a flat array, from the row that a parameter says: grids of two dimensions, borders from within the nest.
// args: 13 21 0 9 ; 19 33 2 4 ; 5 6 1 1 ; 4 4 3 0
#include "dump.h"

static void heat(int n, int m, int from, int steps, double *h)
{
#pragma stencil
    for (int t = from; t < from + steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                h[((t + 1) * n + i) * m + j] =
                    0.2 * (h[(t * n + i) * m + j] + h[(t * n + i - 1) * m + j] + h[(t * n + i + 1) * m + j] +
                           h[(t * n + i) * m + j - 1] + h[(t * n + i) * m + j + 1]);
        for (int j = 0; j < m; j++)
            h[((t + 1) * n) * m + j] = 0;
        for (int i = 0; i < n; i++)
            h[((t + 1) * n + i) * m + m - 1] = h[((t + 1) * n + i) * m + m - 2];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int from = argument(argc, argv, 3, 0), steps = argument(argc, argv, 4, 5);
    size_t count = (size_t)(from + steps + 2) * n * m;
    double *h = new_double(count, 1);
    heat(n, m, from, steps, h);
    show_double("h", h, count);
    return 0;
}
