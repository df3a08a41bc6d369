/* Heats a plate, then finds the flux in it.
 * Usage: plate [n [m [steps]]] */
#include "../support.h"
#include "plate.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 105, 3);
    int m = argument(argc, argv, 2, 99, 3);
    int steps = argument(argc, argv, 3, 9, 0);
    size_t points = (size_t)n * m;
    double(*heat)[m] = allocate(points, sizeof(double));
    double(*work)[m] = allocate(points, sizeof(double));
    double(*flux)[m] = allocate(points, sizeof(double));
    double(*conductivity)[m] = allocate(points, sizeof(double));

    fill(heat[0], 1, n, m, 91);
    fill(work[0], 1, n, m, 92);
    fill(flux[0], 1, n, m, 93);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            conductivity[i][j] = (i * 5 + j * 3) % 29 == 0 ? 0 : 0.05 + 0.002 * ((i + 3 * j) % 71);

    double start = seconds();
    plate_heat(n, m, steps, heat, work, (const double(*)[m])conductivity);
    plate_flux(n, m, (const double(*)[m])heat, (const double(*)[m])conductivity, flux);
    report_time(start, points, steps + 1);

    report("heat", heat, points, sizeof(double));
    report("work", work, points, sizeof(double));
    report("flux", flux, points, sizeof(double));
    free(heat);
    free(work);
    free(flux);
    free(conductivity);
    return 0;
}
