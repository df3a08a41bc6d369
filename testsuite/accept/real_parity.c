// Real numbers that hold integers choose the points: red ones, then black ones.
// args: 14 11 5 ; 6 7 1 ; 30 9 12
// form: bodies: float odd = (i + j) % 2;
#include "dump.h"

static void sweep(int n, int m, float (*f)[m], float parity, double w)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            float odd = (i + j) % 2;
            if (odd == parity) {
                float old = f[i][j];
                f[i][j] = (1 - w) * old + w * 0.25 * (f[i + 1][j] + f[i - 1][j] + f[i][j + 1] + f[i][j - 1]);
            }
        }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 14), m = argument(argc, argv, 2, 11), steps = argument(argc, argv, 3, 5);
    float(*f)[m] = (float(*)[m])new_float((size_t)n * m, 1);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sweep(n, m, f, 1, 1.25);
        sweep(n, m, f, 0.0f, 1.25);
        for (int i = 2; i < n - 2; i++) {
            double place = i, last = n - 3;
            if (!(place != 3) || place >= last)
                f[i][0] = f[i][1];
        }
    }
    show_float("f", &f[0][0], (size_t)n * m);
    return 0;
}
