// Functions of libm in single precision, by their f names.
// args: 37 5 ; 20 4
#include "dump.h"
#include <math.h>

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    float *a = new_float(n, 1), *b = new_float(n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            float dx = a[i + 1] - a[i - 1];
            b[i] = sqrtf(dx * dx + 1e-3f) + fabsf(a[i]) - fminf(a[i - 1], a[i + 1])
                   + fmaxf(dx, 0.0f) * floorf(4.0f * dx) + fmaf(a[i], dx, 0.1f)
                   + copysignf(0.25f, dx);
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = 0.0625f * b[i];
    }
    show_float("a", a, n);
    show_float("b", b, n);
    return 0;
}
