// Loops without braces, loops with too many.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

static float a[2][40][40];

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5), t;
    fill_float(&a[0][0][0], 2 * 40 * 40, 1);
    for (t = 0; t < 2; t++)
#pragma stencil
        for (int s = 0; s < steps; s++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    a[(s + 1) % 2][i][j] = 0.5f * (a[s % 2][i][j - 1] + a[s % 2][i + 1][j]);
#pragma stencil
    for (int s = 0; s < steps; s++) {
        {
            for (int i = 1; i < n - 1; i++) {
                {
                    for (int j = 1; j < m - 1; j++) {
                        {
                            a[(s + 1) % 2][i][j] = 0.5f * (a[s % 2][i - 1][j] + a[s % 2][i][j + 1]);
                        }
                    }
                }
            }
        }
    }
    show_float("a", &a[0][0][0], 2 * 40 * 40);
    return 0;
}
