/* poisson: a relaxation step of a three-dimensional Poisson equation, 19 points: the centre, the
 * six faces and the twelve edges of the 3 x 3 x 3 box. 37 flops a point.
 * Idiom: `const` parameters, names that are reserved words in other languages, a swap through a
 * third pointer that is declared before the loop and outlives it.
 * Usage: poisson [nz [ny [nx [steps]]]] */
#include "../support.h"

int main(int argc, char **argv)
{
    const int nz = argument(argc, argv, 1, 23, 1);
    const int ny = argument(argc, argv, 2, 31, 1);
    const int nx = argument(argc, argv, 3, 29, 1);
    const int steps = argument(argc, argv, 4, 6, 0);
    const size_t points = (size_t)nz * ny * nx;
    real(*old)[ny][nx] = allocate(points, sizeof(real));
    real(*new)[ny][nx] = allocate(points, sizeof(real));
    real(*other)[ny][nx] = NULL;

    fill(&old[0][0][0], nz, ny, nx, 33);
    fill(&new[0][0][0], nz, ny, nx, 34);

    double start = seconds();
#pragma stencil
    for (int t = 0; t < steps; ++t) {
        for (int k = 1; k < nz - 1; ++k)
            for (int j = 1; j < ny - 1; ++j)
                for (int i = 1; i < nx - 1; ++i)
                    new[k][j][i] =
                        (real)0.250 * old[k][j][i] + (real)0.071 * old[k - 1][j][i] +
                        (real)0.073 * old[k + 1][j][i] +
                        (real)0.067 * old[k][j - 1][i] + (real)0.072 * old[k][j + 1][i] +
                        (real)0.068 * old[k][j][i - 1] + (real)0.069 * old[k][j][i + 1] +
                        (real)0.026 * old[k - 1][j - 1][i] + (real)0.029 * old[k - 1][j + 1][i] +
                        (real)0.025 * old[k - 1][j][i - 1] + (real)0.027 * old[k - 1][j][i + 1] +
                        (real)0.024 * old[k][j - 1][i - 1] + (real)0.028 * old[k][j - 1][i + 1] +
                        (real)0.030 * old[k][j + 1][i - 1] + (real)0.023 * old[k][j + 1][i + 1] +
                        (real)0.031 * old[k + 1][j - 1][i] + (real)0.022 * old[k + 1][j + 1][i] +
                        (real)0.032 * old[k + 1][j][i - 1] + (real)0.021 * old[k + 1][j][i + 1];
        other = old;
        old = new;
        new = other;
    }
    report_time(start, points, steps);

    printf("the last swap went through %s\n", other == NULL ? "nothing" : "other");
    report("old", old, points, sizeof(real));
    report("new", new, points, sizeof(real));
    free(old);
    free(new);
    return 0;
}
