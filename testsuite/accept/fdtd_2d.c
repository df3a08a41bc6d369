// Electromagnetics in two dimensions with a source row, in PolyBench's order.
// form: time levels: ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
// args: 17 9 5 ; 8 31 3 ; 2 2 4
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    double ex[n][m], ey[n][m], hz[n][m], source[steps + 1];
    fill_double(&ex[0][0], (size_t)n * m, 1);
    fill_double(&ey[0][0], (size_t)n * m, 2);
    fill_double(&hz[0][0], (size_t)n * m, 3);
    fill_double(source, (size_t)steps + 1, 4);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int j = 0; j < m; j++)
            ey[0][j] = source[t];
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < n; i++)
            for (int j = 1; j < m; j++)
                ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++)
                hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
    show_double("ex", &ex[0][0], (size_t)n * m);
    show_double("ey", &ey[0][0], (size_t)n * m);
    show_double("hz", &hz[0][0], (size_t)n * m);
    return 0;
}
