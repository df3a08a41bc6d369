// The same with sweeps that need each other within a step, in place: the electric field, then the magnetic one.
// args: 70 60 7 ; 33 64 1 ; 12 40 2
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 70), steps = argument(argc, argv, 2, 60);
    unsigned random = (unsigned)argument(argc, argv, 3, 7);
    size_t size = (size_t)n * n;
    double(*ex)[n] = (void *)new_double(size, 1), (*ey)[n] = (void *)new_double(size, 2);
    double(*hz)[n] = (void *)new_double(size, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            for (int j = 0; j < n; j++)
                ey[i][j] -= 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < n; i++)
            for (int j = 1; j < n; j++)
                ex[i][j] -= 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < n - 1; j++)
                hz[i][j] -= 0.3 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
        random = random * 1103515245u + 12345u;
        int what = (int)(random >> 16) % 8, k = (int)(random >> 20) % n;
        if (what == 0)
            printf("%d ex %.17g\n", t, ex[k][n / 2]);
        if (what == 1)
            printf("%d hz %.17g\n", t, hz[n / 2][k]);
        if (what == 2)
            printf("%d both %.17g %.17g\n", t, ey[k][n / 2], hz[k][k]);
        if (what == 3)
            for (int j = 0; j < n; j++)
                printf("%d row %.17g\n", t, hz[k][j]);
        if (what == 4)
            for (int i = 0; i < n; i++)
                printf("%d column %.17g\n", t, ex[i][k]);
    }
    show_double("ex", &ex[0][0], size);
    show_double("ey", &ey[0][0], size);
    show_double("hz", &hz[0][0], size);
    return 0;
}
