// Each step is given another number and an element of a table, and between steps the host stores walls, whole rows among them that
// the sweeps compute, and looks at a maximum: what comes from the host at all three ways is in its place when steps are taken.
// args: 14 11 90 ; 9 8 7 ; 21 16 55
// form: loops that the host keeps: by = 0.5 + 0.1 * drand48();
#include <math.h>
#include "dump.h"

double drand48(void);

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 14), m = argument(argc, argv, 2, 11), steps = argument(argc, argv, 3, 90);
    double(*u)[m] = (void *)new_double((size_t)n * m, 1), (*v)[m] = (void *)new_double((size_t)n * m, 2), (*w)[m];
    double *source = new_double(steps, 3), by = 0.5, largest = 0, all = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        by = 0.5 + 0.1 * drand48();
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = by * (u[i - 1][j] + u[i][j + 1]) - 0.3 * u[i][j] + (i == 3 ? source[t] : 0);
        largest = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                largest = fmax(largest, fabs(v[i][j]));
        w = u;
        u = v;
        v = w;
        if (t % 8 == 3)
            for (int i = 0; i < n; i++)
                u[i][m - 1] = drand48();
        if (t % 13 == 4)
            for (int j = 0; j < m; j++)
                u[n / 2][j] = drand48();
        if (t % 21 == 5)
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < m; j++)
                    v[i][j] -= drand48();
        if (t % 10 == 7)
            printf("%.17g\n", largest);
        if (t % 9 == 4)
            all += u[n / 2][m / 2] + largest;
    }
    printf("%.17g\n", all);
    show_double("u", &u[0][0], (size_t)n * m);
    show_double("v", &v[0][0], (size_t)n * m);
    return 0;
}
