// Sweeps that a team of threads shares, in a loop whose host code makes teams as well: what is put in stands outside of them.
// form: loops that the host keeps: #pragma omp parallel shared(u, w)
// flags: -fopenmp
// args: 37 40 ; 20 4 ; 16 0
#include <math.h>
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), most = argument(argc, argv, 2, 40), t = 0;
    double *u = new_double(n, 1), *w = new_double(n, 2), change = 1, own;
#pragma stencil
    while (change >= 0.001 && t < most) {
#pragma omp parallel shared(u, w)
        {
#pragma omp for
            for (int i = 0; i < n; i++)
                u[i] = w[i];
#pragma omp for
            for (int i = 1; i < n - 1; i++)
                w[i] = 0.5 * (u[i - 1] + u[i + 1]);
        }
        change = 0;
#pragma omp parallel shared(change, u, w) private(own)
        {
            own = 0;
#pragma omp for
            for (int i = 1; i < n - 1; i++)
                if (own < fabs(w[i] - u[i]))
                    own = fabs(w[i] - u[i]);
#pragma omp critical
            {
                if (change < own)
                    change = own;
            }
        }
        t++;
        if (t % 10 == 0)
            printf("%d %.17g\n", t, change);
    }
    show_double("u", u, n);
    show_double("w", w, n);
    printf("%d\n", t);
    return 0;
}
