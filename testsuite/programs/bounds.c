// Loops that never run, boxes smaller than the radius, and steps below nought.
#include "dump.h"

static void smooth(int n, int m, int steps, double *a, double *b)
{
    int t = -1, i = -2, j = -3;
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 2; i < n - 2; i++)
            for (j = 2; j < m - 2; j++)
                b[i * m + j] = 0.2 * (a[i * m + j] + a[i * m + j - 2] + a[i * m + j + 2] + a[(i - 2) * m + j]
                                      + a[(i + 2) * m + j]);
        for (i = 2; i < n - 2; i++)
            for (j = 2; j < m - 2; j++)
                a[i * m + j] = b[i * m + j];
    }
    printf("%d %d %d:", t, i, j);
}

int main(void)
{
    static const int sizes[] = {0, 1, 2, 3, 4, 5, 6, 9}, steps[] = {-2147483647, -1, 0, 1, 2, 5};
    enum { LARGEST = 9 };
    for (int n = 0; n < 8; n++)
        for (int m = 0; m < 8; m++)
            for (int s = 0; s < 6; s++) {
                double a[LARGEST * LARGEST], b[LARGEST * LARGEST];
                fill_double(a, LARGEST * LARGEST, 1);
                fill_double(b, LARGEST * LARGEST, 2);
                smooth(sizes[n], sizes[m], steps[s], a, b);
                show_bytes("a", a, sizeof a);
                show_bytes("b", b, sizeof b);
            }
    return 0;
}
