// Arrays that are the same, overlap, and just do not.
#include "dump.h"

static void blur(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.3 * (a[i - 1] + a[i] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}

int main(void)
{
    enum { N = 101 };
    for (int distance = -N; distance <= N; distance++) {
        double *memory = new_double(3 * N, 1);
        blur(N, 4, memory + N, memory + N + distance);
        printf("%d ", distance);
        show_double("memory", memory, 3 * N);
        free(memory);
    }
    return 0;
}
