// A square grid whose rows are as long as one size says; what is above and below is found by the other, their number.
// args: 20 7 ; 33 3 ; 3 0
// notes: the device runs this nest only where `m == n`
// form: subscripts: u[at - n] + u[at + n]
#include "dump.h"

static void smooth(int n, int m, float *restrict to, const float *restrict u)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            int at = i * m + j;
            to[at] = 0.6f * u[at] + 0.1f * (u[at - n] + u[at + n] + u[at - 1] + u[at + 1]);
        }
    for (int j = 1; j < m - 1; j++)
        to[j] = 0.7f * u[j] + 0.1f * (u[j + n] + u[j - 1] + u[j + 1]);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), m = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 5);
    float *a = new_float((size_t)n * m, 1), *b = new_float((size_t)n * m, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        smooth(n, m, b, a);
        smooth(n, m, a, b);
    }
    show_float("a", a, (size_t)n * m);
    show_float("b", b, (size_t)n * m);
    return 0;
}
