// A sweep that nothing but the last step needs reads farther beside the stored cells than any other does.
// args: 25 14 1 ; 25 14 2 ; 25 14 9 ; 40 31 26
#include "memory.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 25), m = argument(argc, argv, 2, 14), steps = argument(argc, argv, 3, 2);
    size_t cells = (size_t)(n * m);
    float *a = new_memory_float(cells, 1, 0), *b = new_memory_float(cells, 2, 0);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 2; i < n - 4; i++)
            for (int j = 2; j < m - 4; j++)
                b[i * m + j] = 0.9f * a[(i + 1) * m + j];
        for (int i = 2; i < n - 4; i++)
            for (int j = 1; j < m - 3; j++)
                a[i * m + j] = 0.5f * a[i * m + j] + 0.25f;
    }
    for (size_t q = 0; q < cells; q++)
        printf("%a %a\n", a[q], b[q]);
    return 0;
}
