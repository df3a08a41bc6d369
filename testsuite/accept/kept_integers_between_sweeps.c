// The host says between the sweeps of a step which way the first of them goes in the next step, and from which row on.
// args: 0 ; 9 ; 30 1
// form: loops that the host keeps: row = t % 7 == 6 ? 1 : row + 1;
#include <stdio.h>
#include <stdlib.h>

#include "dump.h"

int main(int argc, char **argv)
{
    int n = 24, steps = argument(argc, argv, 1, 12), across = argument(argc, argv, 2, 0), row = 1;
    double *u = new_double(n * n, 1), *w = new_double(n * n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        if (across) {
            for (int i = row; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++)
                    w[i * n + j] = 0.5 * (u[(i - 1) * n + j] + u[(i + 1) * n + j]);
        } else {
            for (int i = row; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++)
                    w[i * n + j] = 0.5 * (u[i * n + j - 1] + u[i * n + j + 1]);
        }
        across = !across;
        row = t % 7 == 6 ? 1 : row + 1;
        if (t % 5 == 2)
            printf("%d %d %d\n", t, across, row);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i * n + j] += 0.125 * w[i * n + j];
    }
    printf("%d %d\n", across, row);
    show_double("u", u, n * n);
    show_double("w", w, n * n);
    free(u);
    free(w);
    return 0;
}
