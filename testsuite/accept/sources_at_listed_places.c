// Sources of shots stand where arrays say, and are added by a function in a loop of one round, or of three.
// args: 40 30 25 3 ; 9 8 6 1 ; 12 10 0 2
// form: records and sources: p[sx][sz] += source[s];
// form: records and sources: add(&wave[t], &places[shot], last, nz, 1);
#include "dump.h"

static void add(const double *source, const int *places, double **p, int nz, int count)
{
    for (int s = 0; s < count; s++) {
        int sx = places[s] / nz, sz = places[s] % nz;
        p[sx][sz] += source[s];
    }
}

static double **new_rows(double *cells, int nx, int nz)
{
    double **rows = malloc((size_t)nx * sizeof *rows);
    for (int x = 0; x < nx; x++)
        rows[x] = cells + x * nz;
    return rows;
}

int main(int argc, char **argv)
{
    int nz = argument(argc, argv, 1, 40), nx = argument(argc, argv, 2, 30), steps = argument(argc, argv, 3, 25);
    int shots = argument(argc, argv, 4, 3);
    size_t cells = (size_t)nx * (size_t)nz;
    double *first = new_double(cells, 1), *second = new_double(cells, 2), *wave = new_double((size_t)steps + 3, 3);
    double **now = new_rows(first, nx, nz), **last = new_rows(second, nx, nz);
    int places[8];
    for (int s = 0; s < 8; s++)
        places[s] = (1 + s * s * 3 % (nx - 2)) * nz + 1 + s * 5 % (nz - 2);
    for (int shot = 0; shot < shots; shot++) {
#pragma stencil
        for (int t = 0; t < steps; t++) {
            for (int x = 1; x < nx - 1; x++)
                for (int z = 1; z < nz - 1; z++)
                    last[x][z] = 0.2 * (now[x - 1][z] + now[x + 1][z] + now[x][z - 1] + now[x][z + 1]) - 0.1 * last[x][z];
            add(&wave[t], &places[shot], last, nz, 1);
            add(&wave[t], &places[shot + 1], last, nz, 3);
            double **old = now; now = last; last = old;
        }
    }
    show_double("first", first, cells);
    show_double("second", second, cells);
    return 0;
}
