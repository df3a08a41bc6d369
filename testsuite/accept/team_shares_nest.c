// A team of threads that is made outside of the nest shares its loops: each thread calls the driver, and one does the work.
// Pointers and counters are each thread's own, and hold behind the nest what the nest leaves there.
// form: loops: #pragma omp parallel private(i, j, t) firstprivate(w)
// flags: -fopenmp
// args: 37 29 11 ; 20 5 4 ; 16 16 0
#include <omp.h>
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), m = argument(argc, argv, 2, 29), steps = argument(argc, argv, 3, 11);
    double *a = new_double(n * m, 1), *b = new_double(n * m, 2), w = 0.25, sum = 0;
    int t = 77, i = 78, j;
#pragma omp parallel private(i, j, t) firstprivate(w) num_threads(3)
    {
        double *x = a, *y = b;
        int again;
        for (again = 0; again < 3; again++) {
#pragma omp single
            a[m + 1] += 1;
#pragma stencil
            for (t = 0; t < steps; t++) {
                double *s;
#pragma omp for
                for (i = 1; i < n - 1; i++)
                    for (j = 1; j < m - 1; j++)
                        y[i * m + j] = w * (x[(i - 1) * m + j] + x[(i + 1) * m + j] + x[i * m + j - 1] + x[i * m + j + 1]);
                s = x;
                x = y;
                y = s;
            }
#pragma omp critical
            sum += t + (x == a ? 100 : 1000);
#pragma omp barrier
#pragma omp master
            printf("%d %d %.17g\n", again, t, sum);
#pragma omp barrier
        }
    }
    printf("%d %d\n", t, i);
    show_double("a", a, n * m);
    show_double("b", b, n * m);
    return 0;
}
