// Subscripts that `while` loops bring into their period, on either side, in functions and at once.
// args: 17 11 6 ; 5 19 3 ; 8 1 2
// form: subscripts: while (i >= length)
#include "dump.h"

static int around(int i, int by, int length)
{
    i += by;
    while (i < 0)
        i += length;
    while (i >= length)
        i -= length;
    return i;
}

static double neighbours(int n, int m, double (*a)[m], int i, int j)
{
    double sum = 0;
    for (int k = -1; k <= 1; k++)
        for (int l = -1; l <= 1; l++)
            if (k || l)
                sum += a[around(i, k, n)][around(j, l, m)];
    return sum;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 11), steps = argument(argc, argv, 3, 6);
    double a[n][m], b[n][m], line[40], next[40];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = noise(i * m + j), b[i][j] = 0;
    for (int i = 0; i < 40; i++)
        line[i] = noise(i), next[i] = 1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                b[i][j] = 0.11 * (a[i][j] + neighbours(n, m, a, i, j));
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] = b[i][j];
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < 40; i++) {
            int left = i - 7, right = i + 30;
            while (left < 0)
                left += 40;
            while (right > 39) {
                right -= 39;
                right--;
            }
            next[i] = line[left] - 0.5 * line[right] + 0.25 * line[i];
        }
        for (int i = 0; i < 40; i++)
            line[i] = next[i];
    }
    show_double("a", &a[0][0], (size_t)n * m);
    show_double("b", &b[0][0], (size_t)n * m);
    show_double("line", line, 40);
    return 0;
}
