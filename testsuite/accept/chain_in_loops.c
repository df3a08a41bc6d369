// Nests that take turns in loops of the host's, which may be left between them: their arrays come back behind the outer loop.
// args: 17 3 4 9 ; 24 2 2 1 ; 9 1 1 0 ; 3 2 3 2
// notes: what this nest computes stays on the device for the next one
// form: loops that the host keeps: if (k == last)
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), frames = argument(argc, argv, 2, 3), turns = argument(argc, argv, 3, 4);
    int last = argument(argc, argv, 4, 9), k = 0;
    double *a = new_double((size_t)n * n, 1), *b = new_double((size_t)n * n, 2), *c = new_double((size_t)n * n, 3);
    double weight = 0.5;
    for (int frame = 0; frame < frames; frame++) {
        for (int turn = 0; turn < turns; turn++) {
#pragma stencil
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++)
                    b[i * n + j] = 0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j]) + weight * c[i * n + j] * a[i * n + j - 1];
            if (k == last)
                break;
            if (k++ % 3 == 1)
                continue;
#pragma stencil
            for (int j = 0; j < n; j++)
                b[j] = b[n + j] + a[j];
            weight *= 0.75;
#pragma stencil
            for (int t = 0; t < 3; t++)
                for (int i = 1; i < n - 1; i++)
                    for (int j = 1; j < n - 1; j++)
                        a[i * n + j] = b[i * n + j] * 0.5 + a[i * n + j];
        }
        printf("frame %d, %d turns\n", frame, k);
    }
    show_double("a", a, (size_t)n * n);
    show_double("b", b, (size_t)n * n);
    show_double("c", c, (size_t)n * n);
    return 0;
}
