#include "lattice.h"

void relax(int n, double (*f)[LINKS])
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < LINKS; k++)
            sum += f[i][k] * links[k].weight;
        for (int k = 0; k < LINKS; k++)
            f[i][k] += rate[k] * (links[k].weight * sum - f[i][k]);
    }
}
