// Functions of double on float data: the argument is widened, the result narrowed.
// args: 37 5 ; 20 4
#include "dump.h"
#include <math.h>

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    float *a = new_float(n, 1), *b = new_float(n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = sqrt(fabs(a[i - 1] * a[i + 1]) + 1) - fabs(a[i]) * 0.1f;
        for (int i = 1; i < n - 1; i++)
            a[i] = 0.25 * b[i];
    }
    show_float("a", a, n);
    show_float("b", b, n);
    return 0;
}
