// The loop counts time by a real number, and the host does something in it.
// form: loops that the host keeps: for (double time = 0; time < end; time += 0.125) {
// args: 24 7 ; 9 3 ; 5 0
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 24), taken = 0;
    double end = 0.1 * argument(argc, argv, 2, 7), *u = new_double((size_t)n * n, 1), *w = new_double((size_t)n * n, 2);
#pragma stencil
    for (double time = 0; time < end; time += 0.125) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                double sum = u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1];
                w[i * n + j] = 0.25 * sum + 0.0625 * time;
            }
        double *other = u;
        u = w;
        w = other;
        if (taken++ % 3 == 0)
            printf("%g: %.17g\n", time, u[n + 1]);
    }
    show_double("u", u, (size_t)n * n);
    show_double("w", w, (size_t)n * n);
    printf("%d\n", taken);
    return 0;
}
