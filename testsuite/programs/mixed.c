/* One nest that can be rewritten and one that cannot. */
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

static void relax(int n, int steps, double *a)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            a[i] = 0.5 * (a[i - 1] + a[i + 1]);
}

int main(void)
{
    enum { N = 77 };
    double *a = new_double(N, 1), *b = new_double(N, 2);
    blur(N, 5, a, b);
    relax(N, 3, a);
    show_double("a", a, N);
    show_double("b", b, N);
    return 0;
}
