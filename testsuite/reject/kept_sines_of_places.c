// A loop that the host keeps needs a function of the library for each place in its sweeps.
#include <math.h>
#include <stdlib.h>

int run(int n, int steps, double *a, double *b, double limit)
{
    int t;
    double *s = malloc(n * sizeof *s);
#pragma stencil
    for (t = 0; t < steps; t++) {
        double change = 0;
        for (int i = 1; i < n - 1; i++) {
            b[i] = 0.5 * (a[i - 1] + a[i + 1]) + sin(0.1 * i);
            change += fabs(b[i] - a[i]);
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        if (change < limit)
            break;
    }
    free(s);
    return t;
}
// remedy: s/#pragma/    for (int i = 1; i < n - 1; i++)\n        s[i] = sin(0.1 * i);\n#pragma/
// remedy: s/+ sin(0.1 * i)/+ s[i]/
