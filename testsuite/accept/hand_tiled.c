// Loops that are tiled by hand cover the domain once: by a minimum, by `&&`, by a temporary; in arrays whose walls are clamped.
// form: loops: for (i = ii; i < MIN(ii + TILE, n); i++)
// form: loops: for (ii = i; ii < n && ii < i + TILE; ii++)
// args: 19 9 5 ; 6 33 4 ; 3 2 2
#include "dump.h"

#define TILE 4
#define MIN(a, b) ((a) < (b) ? (a) : (b))

static void smooth(int n, int m, int steps, double *a, double *b)
{
    int i, j, ii, jj;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (ii = 0; ii < n; ii += TILE)
            for (jj = 0; jj < m; jj += TILE) {
                int end = jj + TILE;
                if (end > m)
                    end = m;
                for (i = ii; i < MIN(ii + TILE, n); i++)
                    for (j = jj; j < end; j++) {
                        int k = i * m + j, north = i == 0 ? k : k - m, east = j == m - 1 ? k : k + 1;
                        b[k] = 0.25 * (a[k] + a[north]) + 0.5 * a[east];
                    }
            }
        for (i = 0; i < n; i += TILE)
            for (ii = i; ii < n && ii < i + TILE; ii++)
                for (j = 0; j < m; j++)
                    a[ii * m + j] = b[ii * m + j];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    smooth(n, m, steps, a, b);
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
