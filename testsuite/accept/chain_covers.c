// Chains of conditions on places without a last `else`, which cover all places: corners, edges and the inside.
// args: 19 17 4 ; 7 6 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), m = argument(argc, argv, 2, 17), steps = argument(argc, argv, 3, 4);
    double *a = new_double(n * m, 1), *b = new_double(n * m, 2), d;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                double scale;
                if (i == 0 && j == 0)
                    d = a[1];
                else if (i == 0 && j == m - 1)
                    d = a[j - 1];
                else if (i == n - 1 && j == m - 1)
                    d = a[i * m + j - 1];
                else if (i == n - 1 && j == 0)
                    d = a[i * m + 1];
                else if (i == 0)
                    d = a[m + j];
                else if (j == m - 1)
                    d = a[i * m + j - 1];
                else if (i == n - 1)
                    d = a[(i - 1) * m + j];
                else if (j == 0)
                    d = a[i * m + 1];
                else if (i > 0 && i < n - 1 && j > 0)
                    d = a[(i - 1) * m + j] + 0.5 * a[i * m + j + 1];
                if (i < 3)
                    scale = 0.5;
                if (i >= 3)
                    scale = 0.25;
                b[i * m + j] = d * scale;
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i * m + j] = b[i * m + j];
    }
    show_double("a", a, n * m);
    show_double("b", b, n * m);
    return 0;
}
