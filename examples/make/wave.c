/* The wave equation, second order in time: three states that change roles every step. */
#include "wave.h"

double *wave_run(int n, int m, int steps, double *past, double *now, double *next,
                 const double *speed2)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                double laplacian = now[(i - 1) * m + j] + now[(i + 1) * m + j] +
                                   now[i * m + j - 1] + now[i * m + j + 1] - 4 * now[i * m + j];
                next[i * m + j] =
                    2 * now[i * m + j] - past[i * m + j] + speed2[i * m + j] * laplacian;
            }
        double *oldest = past;
        past = now;
        now = next;
        next = oldest;
    }
    return now;
}
