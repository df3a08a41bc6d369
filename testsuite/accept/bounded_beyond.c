// A loop at each point with more iterations than kernels have written out is left to the original loops.
// args: 90 17
// fallback: expected
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 90), r = argument(argc, argv, 2, 17);
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    for (int i = r; i < n - r; i++) {
        double most = 0;
        for (int k = -r; k <= r; k++)
            most = a[i + k] > most ? a[i + k] : most;
        b[i] = most;
    }
    show_double("b", b, n);
    return 0;
}
