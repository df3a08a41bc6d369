// Directions in a table that the program reads from a file.
#include <stdio.h>

#define NX 40
#define NY 30

static double f[4][NX][NY], g[4][NX][NY];

void flow(FILE *file, int steps)
{
    int cx[4], cy[4];
    for (int k = 0; k < 4; k++)
        if (fscanf(file, "%d %d", &cx[k], &cy[k]) != 2)
            return;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < NX; i++)
            for (int j = 1; j < NY - 1; j++)
                for (int k = 0; k < 4; k++) {
                    int to = i + cx[k];
                    if (to < 0) to = NX - 1;
                    if (to > NX - 1) to = 0;
                    g[k][to][j + cy[k]] = f[k][i][j];
                }
        for (int i = 0; i < NX; i++)
            for (int j = 1; j < NY - 1; j++)
                for (int k = 0; k < 4; k++)
                    f[k][i][j] = 0.9 * g[k][i][j];
    }
}

// remedy: s/        if (fscanf(file, "%d %d", &cx[k], &cy[k]) != 2)\n            return;/        cx[k] = (k == 0) - (k == 1), cy[k] = (k == 2) - (k == 3);/
