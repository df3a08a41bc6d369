// Conditions on places and parameters as C evaluates them: unsigned wrap-around, conversions, divisions that are not run.
// fallback: allowed
// cflags: -Wno-sign-compare -Wno-type-limits
#include <stddef.h>
#include <stdio.h>

#define SIZE 24

static double a[SIZE], b[SIZE];
static long z[SIZE];

static void show(const char *name)
{
    printf("%s:", name);
    for (int i = 0; i < SIZE; i++) {
        printf(" %g", b[i]);
        a[i] = 100 + i;
        b[i] = -1;
    }
    printf("\n");
}

static void range_check(int m)
{
    double c[SIZE];
    for (int i = 0; i < SIZE; i++)
        c[i] = i;
#pragma stencil
    for (int i = 0; i < SIZE; i++)
        if ((unsigned)(i - 3) < 6u)
            b[i] = c[i - 3] + m;
    show("range_check");
#pragma stencil
    for (int i = 0; i < SIZE; i++)
        if ((unsigned)(m - 10) < 5u)
            b[i] = a[i];
    show("fixed_range_check");
}

static void parameters(unsigned m, long l, unsigned off, size_t lim)
{
#pragma stencil
    for (unsigned i = 0; i < SIZE; i++)
        if (m - 10 < 5)
            b[i] = a[i];
    show("difference");
#pragma stencil
    for (unsigned i = 0; i < SIZE; i++)
        if ((int)l == 5)
            b[i] = a[i];
    show("narrowed");
#pragma stencil
    for (unsigned i = 0; i < SIZE; i++)
        if (off * 2 + i < 4)
            b[i] = a[i];
    show("product");
#pragma stencil
    for (unsigned i = 0; i < SIZE; i++)
        if (i < lim)
            b[i] = a[i];
    show("limit");
#pragma stencil
    for (unsigned i = 0; i < SIZE; i++)
        if (i + 4294967295u < 20 && i < (size_t)-1)
            b[i] = a[i];
    show("constants");
}

static void offsets(int off, int n)
{
#pragma stencil
    for (int k = 0; k < n; k++)
        if ((size_t)(k + off) < 2)
            b[k] = a[k];
    show("offset");
#pragma stencil
    for (int k = 0; k < SIZE; k++)
        if ((k * 2654435761u) % 7 < 3)
            b[k] = a[k];
    show("hash");
#pragma stencil
    for (unsigned i = 0; i < SIZE; i++)
        if (i > 0 && i < n - 1u)
            b[i] = a[i - 1] + a[i + 1u];
    show("guarded");
#pragma stencil
    for (int i = 0; i < SIZE; i++)
        if (!((i - 12) / 4 < 0))
            b[i] = a[i];
    show("rounded");
#pragma stencil
    for (int i = 0; i < SIZE; i++)
        if ((i - 12) % 4 != 1)
            b[i] = a[i];
    show("remainder");
}

static void divisions(int m, int n)
{
#pragma stencil
    for (int i = 0; i < 3; i++)
        if (m)
            for (int k = 0; k < n / m; k++)
                b[k] = a[k];
    show("divided_bound");
#pragma stencil
    for (int i = 0; i < SIZE; i++)
        if (m != 0 && i < n / m)
            b[i] = a[i];
    show("divided_condition");
#pragma stencil
    for (int i = 0; i < SIZE; i++)
        if (z[i] != 0) {
            int q = 100 / z[i];
            b[i] = a[i] + q % (z[i] + 1 ? (int)z[i] : 1);
        }
    show("divided_data");
}

static void buffers(int steps)
{
    static double u[2][SIZE];
    for (int i = 0; i < SIZE; i++)
        u[0][i] = u[1][i] = i;
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < SIZE - 1; i++)
            u[!(t & 1)][i] = u[t & 1][i - 1] + 1;
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < SIZE - 1; i++)
            u[t % 2 ? 0 : 1][i] = u[t % 2][i - 1] + 1;
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < SIZE - 1; i++)
            u[(t ^ 1) & 1][i] = u[t & 1][i - 1] + 1;
    for (int i = 0; i < SIZE; i++)
        b[i] = u[0][i] * 1000 + u[1][i];
    show("buffers");
}

int main(void)
{
    show("start");
    for (int i = 0; i < SIZE; i++)
        z[i] = i % 5;
    range_check(3);
    range_check(12);
    parameters(3, (1L << 32) + 5, 0x80000000u, -1);
    parameters(12, 5, 1, 7);
    offsets(-3, 20);
    offsets(0, 9);
    divisions(0, 12);
    divisions(2, 12);
    buffers(7);
    return 0;
}
