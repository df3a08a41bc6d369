/* The heat flux from central differences: a single sweep without a time loop. */
#include "plate.h"

#include <math.h>

void plate_flux(int n, int m, const double heat[n][m], const double conductivity[n][m],
                double flux[n][m])
{
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            double down = 0.5 * (heat[i + 1][j] - heat[i - 1][j]);
            double right = 0.5 * (heat[i][j + 1] - heat[i][j - 1]);
            flux[i][j] = conductivity[i][j] * sqrt(down * down + right * right);
        }
}
