// Flat subscripts in temporaries, of arrays that are updated in place; inner loops that are no sums over points.
// form: subscripts: int id = j * nx + i, east = id + 1
#include "dump.h"

#define N 35
#define M 29

int main(int argc, char **argv)
{
    int nx = argc + 40, ny = argc + 20;
    (void)argv;
    double u[N * M], v[N * M], w[64 * 32];
    double *h = new_double(nx * ny, 4), *g = new_double(nx * ny, 5);
    fill_double(u, N * M, 1);
    fill_double(v, N * M, 2);
    fill_double(w, 64 * 32, 3);
#pragma stencil
    for (int t = 0; t < 6; t++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++) {
                int k = i * M + j;
                v[k] += 0.25 * u[k];
            }
#pragma stencil
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 32; j++) {
            int k = i * 32 + j, same = k;
            w[same] -= 0.5 * w[k];
        }
#pragma stencil
    for (int t = 0; t < 4; t++) {
        for (int j = 1; j < ny - 1; j++)
            for (int i = 1; i < nx - 1; i++) {
                int id = j * nx + i, east = id + 1, west = id - 1, north = (j + 1) * nx + i, south = (j - 1) * nx + i;
                g[id] = h[id] - 0.1 * (h[east] - h[west] + h[north] - h[south]);
            }
        double *swap = h;
        h = g;
        g = swap;
    }
    show_double("v", v, N * M);
    show_double("w", w, 64 * 32);
    show_double("h", h, nx * ny);
    return 0;
}
