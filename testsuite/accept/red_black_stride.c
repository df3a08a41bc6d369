// Red-black relaxation in one dimension by loops that step by two.
// args: 17 5 ; 20 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i += 2)
            a[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 2; i < n - 1; i += 2)
            a[i] = 0.5 * (a[i - 1] + a[i + 1]);
    }
    show_double("a", a, n);
    return 0;
}
