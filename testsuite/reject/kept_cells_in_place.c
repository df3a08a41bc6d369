// A sweep of a loop that the host keeps stores behind a pointer to a cell what another point of it reads.
#include <stdio.h>

struct cell {
    double p, v;
};

void run(int n, int m, int steps, struct cell a[n][m])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                struct cell *c = &a[i][j];
                c->p = 0.5 * (a[i - 1][j].p + a[i][j + 1].p);
            }
        if (t % 3 == 0)
            printf("step %d: %.17g\n", t, a[n / 2][m / 2].p);
    }
}
// remedy: s/#pragma stencil\n//
// remedy: s/            for (int j/#pragma stencil\n            for (int j/
