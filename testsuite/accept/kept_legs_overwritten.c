// The host looks within a step at an element that the first leg stores and the second one stores again.
// args: 20 32 ; 9 7 ; 40 1
#include "memory.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 32);
    float *a = new_memory_float((size_t)n, 1, 0), *b = new_memory_float((size_t)n, 2, 0);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        if (t % 4 == 1)
            a[0] = 3;
        if (t % 7 == 0)
            printf("%d: %a\n", t, a[0]);
        a[0] = 0.25f * t;
        for (int i = 1; i < n - 1; i++)
            a[i] = 0.5f * b[i] + a[i];
        if (t % 3 == 0)
            printf("%d: %a\n", t, a[0]);
    }
    for (int i = 0; i < n; i++)
        printf("%a %a\n", a[i], b[i]);
    return 0;
}
