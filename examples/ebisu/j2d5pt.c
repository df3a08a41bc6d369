/* j2d5pt: a weighted sum of a point and its four neighbours. 9 flops a point.
 * Idiom: flat arrays a[i * m + j] in main, the buffers change roles by a pointer swap.
 * Usage: j2d5pt [n [m [steps]]] */
#include "../support.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 127, 1);
    int m = argument(argc, argv, 2, 97, 1);
    int steps = argument(argc, argv, 3, 11, 0);
    size_t points = (size_t)n * m;
    real *a = allocate(points, sizeof(real));
    real *b = allocate(points, sizeof(real));
    const real centre = 0.52, north = 0.11, south = 0.13, west = 0.09, east = 0.15;

    fill(a, 1, n, m, 21);
    memcpy(b, a, points * sizeof(real));

    double start = seconds();
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = centre * a[i * m + j] + north * a[(i - 1) * m + j] +
                               south * a[(i + 1) * m + j] + west * a[i * m + j - 1] +
                               east * a[i * m + j + 1];
        real *tmp = a;
        a = b;
        b = tmp;
    }
    report_time(start, points, steps);

    report("a", a, points, sizeof(real));
    report("b", b, points, sizeof(real));
    free(a);
    free(b);
    return 0;
}
