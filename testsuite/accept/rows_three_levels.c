// Three dimensions behind two levels of tables, swapped; planes and rows of the edges that no stencil reaches are not there.
// form: rows behind pointers: const float *here = u[k][i];
// args: 9 8 7 4 ; 6 11 5 3 ; 5 5 13 2
#include "rows.h"

static float ***cube(int l, int n, int m, int seed)
{
    float ***planes = malloc((size_t)l * sizeof *planes);
    if (planes == NULL)
        exit(2);
    for (int k = 0; k < l; k++) {
        planes[k] = malloc((size_t)n * sizeof **planes);
        if (planes[k] == NULL)
            exit(2);
        for (int i = 0; i < n; i++) {
            int is_edge = (k == 0 || k == l - 1) && (i == 0 || i == n - 1);
            planes[k][i] = is_edge ? NO_ROW : new_float((size_t)m, seed + 100 * k + i);
        }
    }
    return planes;
}

static void step(int l, int n, int m, int steps, float ***u, float ***v)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int k = 1; k < l - 1; k++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++) {
                    const float *here = u[k][i];
                    v[k][i][j] = 0.4f * here[j] + 0.1f * (here[j - 1] + here[j + 1] + u[k][i - 1][j] + u[k][i + 1][j] +
                                                          u[k - 1][i][j] + u[k + 1][i][j]);
                }
        float ***swapped = u;
        u = v;
        v = swapped;
    }
}

static void show(const char *name, float ***planes, int l, int n, int m)
{
    uint64_t hash = HASH_START;
    for (int k = 0; k < l; k++)
        for (int i = 0; i < n; i++)
            if (planes[k][i] != NO_ROW)
                hash = hash_bytes(hash, planes[k][i], (size_t)m * sizeof(float));
    printf("%s: %016llx %a\n", name, (unsigned long long)hash, (double)planes[l / 2][n / 2][m / 2]);
}

int main(int argc, char **argv)
{
    int l = argument(argc, argv, 1, 9), n = argument(argc, argv, 2, 8), m = argument(argc, argv, 3, 7);
    int steps = argument(argc, argv, 4, 4);
    float ***u = cube(l, n, m, 1), ***v = cube(l, n, m, 2);
    step(l, n, m, steps, u, v);
    show("u", u, l, n, m);
    show("v", v, l, n, m);
    return 0;
}
