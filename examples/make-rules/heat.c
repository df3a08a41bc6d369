/* Heat conduction with held points and insulated edges: an if/else in the sweep, loops over the
 * edges after it, copy-back by memcpy. */
#include "plate.h"

#include <string.h>

void plate_heat(int n, int m, int steps, double heat[n][m], double work[n][m],
                const double conductivity[n][m])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                double c = conductivity[i][j];
                if (c > 0)
                    work[i][j] = heat[i][j] + c * (heat[i - 1][j] + heat[i + 1][j] +
                                                   heat[i][j - 1] + heat[i][j + 1] -
                                                   4 * heat[i][j]);
                else
                    work[i][j] = heat[i][j];
            }
        for (int j = 1; j < m - 1; j++) {
            work[0][j] = work[1][j];
            work[n - 1][j] = work[n - 2][j];
        }
        for (int i = 0; i < n; i++) {
            work[i][0] = work[i][1];
            work[i][m - 1] = work[i][m - 2];
        }
        memcpy(heat, work, sizeof(double) * n * m);
    }
}
