// Neighbours from index arrays: filled in the function of the nest, held at the walls; filled by a helper, going round.
// form: subscripts: J[iN[i] * cols + j]
// args: 17 9 5 ; 6 33 4 ; 3 2 2 ; 1 1 3
#include "dump.h"

static void diffuse(int rows, int cols, int steps, float *J, float *K)
{
    int *iN = malloc(sizeof(int) * rows), *iS = malloc(sizeof(int) * rows);
    int *jW = malloc(sizeof(int) * cols), *jE = malloc(sizeof(int) * cols);
    if (!iN || !iS || !jW || !jE)
        exit(2);
    for (int i = 0; i < rows; i++) {
        iN[i] = i - 1;
        iS[i] = i + 1;
    }
    for (int j = 0; j < cols; j++) {
        jW[j] = j - 1;
        jE[j] = j + 1;
    }
    iN[0] = 0;
    iS[rows - 1] = rows - 1;
    jW[0] = 0;
    jE[cols - 1] = cols - 1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++) {
                int k = i * cols + j, west = jW[j];
                K[k] = J[k] + 0.2f * (J[iN[i] * cols + j] + J[iS[i] * cols + j] + J[i * cols + west] + J[i * cols + jE[j]]);
            }
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++)
                J[i * cols + j] = 0.5f * K[i * cols + j];
    }
    free(iN);
    free(iS);
    free(jW);
    free(jE);
}

static void ring(int n, int *before, int *after)
{
    for (int i = 0; i < n; i++) {
        before[i] = i == 0 ? n - 1 : i - 1;
        after[i] = (i + 1) % n;
    }
}

static void advect(int n, int m, double (*a)[m], double (*b)[m], const int *before, const int *after)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = a[before[i]][j] - 0.5 * a[after[i]][j];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    float *J = new_float((size_t)n * m, 1), *K = new_float((size_t)n * m, 2);
    double *a = new_double((size_t)n * m, 3), *b = new_double((size_t)n * m, 4);
    int *before = new_int(n, 5), *after = new_int(n, 6);
    diffuse(n, m, steps, J, K);
    show_float("J", J, (size_t)n * m);
    show_float("K", K, (size_t)n * m);
    ring(n, before, after);
    advect(n, m, (double (*)[m])a, (double (*)[m])b, before, after);
    show_double("b", b, (size_t)n * m);
    return 0;
}
