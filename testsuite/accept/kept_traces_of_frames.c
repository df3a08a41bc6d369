// Each step of a frame keeps a value, under the number of the step.
// form: loops that the host keeps: trace[step % 64] = u[3 * n + 2];
// args: 24 7 ; 9 3 ; 5 0
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 24), frames = argument(argc, argv, 2, 7), step = 0;
    double *u = new_double((size_t)n * n, 1), *w = new_double((size_t)n * n, 2), trace[64] = { 0 };
#pragma stencil
    for (int frame = 0; frame < frames; frame++)
        for (int k = 0; k < 4; k++) {
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++)
                    w[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]);
            double *other = u;
            u = w;
            w = other;
            trace[step % 64] = u[3 * n + 2];
            step++;
        }
    show_double("u", u, (size_t)n * n);
    show_double("w", w, (size_t)n * n);
    show_double("trace", trace, 64);
    return 0;
}
