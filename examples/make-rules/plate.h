#ifndef PLATE_H
#define PLATE_H

/* Heats an n x m plate with insulated edges for `steps` steps. A point whose conductivity is 0
 * keeps its temperature. The result is in `heat`, `work` holds the same. */
void plate_heat(int n, int m, int steps, double heat[n][m], double work[n][m],
                const double conductivity[n][m]);

/* The length of the heat flux at every inner point of the plate. */
void plate_flux(int n, int m, const double heat[n][m], const double conductivity[n][m],
                double flux[n][m]);

#endif
