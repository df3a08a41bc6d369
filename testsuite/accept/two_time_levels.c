// The wave equation in two buffers: the new value replaces the oldest in place.
// form: time levels: q[i * m + j] = 2.0 * p[i * m + j] - q[i * m + j]
// args: 17 9 5 ; 8 31 3 ; 11 7 6
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    size_t size = (size_t)n * m;
    double *p = new_double(size, 1), *q = new_double(size, 2), *speed = new_double(size, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                q[i * m + j] = 2.0 * p[i * m + j] - q[i * m + j]
                               + speed[i * m + j] * (p[i * m + j - 1] + p[i * m + j + 1] + p[(i - 1) * m + j]
                                                     + p[(i + 1) * m + j] - 4.0 * p[i * m + j]);
        double *swap = p;
        p = q;
        q = swap;
    }
    show_double("p", p, size);
    show_double("q", q, size);
    return 0;
}
