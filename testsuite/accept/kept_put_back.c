// Frames are kept in a ring and in rows of a table, one of which is an array of the nest; a frame is put back once.
// args: 19 23 41 ; 8 9 5 ; 33 17 0
// form: loops that the host keeps: if (t == 33) memcpy(u, saved[1], (size_t)n * m * sizeof *u);
#include "dump.h"
#include <string.h>

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), m = argument(argc, argv, 2, 23), steps = argument(argc, argv, 3, 41);
    int k = 0, s = 0;
    double x = 0;
    double *u = new_double((size_t)n * m, 1), *v = new_double((size_t)n * m, 2);
    double *store = new_double((size_t)3 * n * m, 3), *ring[3], *saved[8];
    for (int i = 0; i < 3; i++)
        ring[i] = store + i * n * m;
    for (int i = 0; i < 8; i++)
        saved[i] = i == 5 ? v : new_double((size_t)n * m, 4 + i);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i * m + j] = 0.2 * (u[i * m + j] + u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[i * m + j] = v[i * m + j];
        if (t % 6 == 0) memcpy(saved[s++], u, (size_t)n * m * sizeof *u);
        if (t % 16 == 5) {
            for (int i = 0; i < n * m; i++)
                ring[k % 3][i] = u[i] - v[i];
            k++;
        }
        if (t % 8 == 3) { x += u[7]; k += 3; }
        if (t == 33) memcpy(u, saved[1], (size_t)n * m * sizeof *u);
    }
    printf("%d %d %.17g\n", k, s, x);
    for (int i = 0; i < 8; i++)
        show_double("saved", saved[i], (size_t)n * m);
    show_double("ring", store, (size_t)3 * n * m);
    show_double("u", u, (size_t)n * m);
    return 0;
}
