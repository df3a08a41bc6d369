/* The arrays of the nest overlap in every call. */
#include "dump.h"

static void blur(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}

int main(void)
{
    double *memory = new_double(200, 1);
    blur(101, 5, memory, memory + 50);
    blur(101, 4, memory + 1, memory);
    show_double("memory", memory, 200);
    return 0;
}
