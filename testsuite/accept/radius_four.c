// Radius four in three dimensions, two time levels, as in seismic codes.
// args: 11 13 17 4 ; 9 10 21 3
#include "dump.h"

#define R 4
#define PAIR(k, step) c[k] * (p[o + (k) * (step)] + p[o - (k) * (step)])
#define STAR(k) (PAIR(k, 1) + PAIR(k, m) + PAIR(k, n * m))

int main(int argc, char **argv)
{
    int l = argument(argc, argv, 1, 11), n = argument(argc, argv, 2, 13);
    int m = argument(argc, argv, 3, 17), steps = argument(argc, argv, 4, 4);
    size_t size = (size_t)l * n * m;
    float *p = new_float(size, 1), *q = new_float(size, 2);
    const float c[R + 1] = {-2.84722222f, 1.6f, -0.2f, 0.02539683f, -0.00178571f};
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int z = R; z < l - R; z++)
            for (int y = R; y < n - R; y++)
                for (int x = R; x < m - R; x++) {
                    int o = (z * n + y) * m + x;
                    q[o] = 2.0f * p[o] - q[o] + 0.05f * (3.0f * c[0] * p[o] + STAR(1) + STAR(2) + STAR(3) + STAR(4));
                }
        float *swap = p;
        p = q;
        q = swap;
    }
    show_float("p", p, size);
    show_float("q", q, size);
    return 0;
}
