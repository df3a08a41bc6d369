#include "directions.h"

const int along[WAYS] = {0, 1, 0, -1, 0}, across[] = {0, 0, 1, 0, -1};
const direction ways[WAYS] = {{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};

void stream(int n, int m, double *f, const double *g)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            for (int k = 0; k < WAYS; k++)
                f[(k * n + i) * m + j] = g[(k * n + i - (int)ways[k].x) * m + j - (int)ways[k].y];
}
