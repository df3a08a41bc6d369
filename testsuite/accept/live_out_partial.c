// An array written only in part: everything around it keeps what the program put there.
// args: 37 29 5 ; 20 9 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), m = argument(argc, argv, 2, 29);
    int steps = argument(argc, argv, 3, 5);
    double a[n][m], b[n][m], peaks[n][m];
    fill_double(&a[0][0], (size_t)n * m, 1);
    fill_double(&b[0][0], (size_t)n * m, 2);
    fill_double(&peaks[0][0], (size_t)n * m, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 3; i < n - 2; i++)
            for (int j = 2; j < m - 3; j++)
                b[i][j] = 0.25 * (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
        for (int i = 3; i < n - 2; i++)
            for (int j = 2; j < m - 3; j++)
                a[i][j] = b[i][j];
        for (int i = 5; i < n - 4; i += 2)
            for (int j = 4; j < m - 4; j++)
                if (a[i][j] > 0.1)
                    peaks[i][j] = a[i][j];
    }
    show_double("a", &a[0][0], (size_t)n * m);
    show_double("b", &b[0][0], (size_t)n * m);
    show_double("peaks", &peaks[0][0], (size_t)n * m);
    return 0;
}
