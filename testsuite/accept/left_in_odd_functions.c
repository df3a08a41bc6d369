// Scalars that are left in functions whose paths cannot be told: jumps into them, addresses, inner functions, clean-up.
// args: 17 ; 2
#include <setjmp.h>

#include "dump.h"

static double seen;
static jmp_buf place;

static void report(int *guard)
{
    printf("guard %d\n", *guard);
}

static double with_setjmp(int n, const double *a, double *b)
{
    static double s;
    if (setjmp(place))
        return 5;
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        s = a[i];
        b[i] = s + 1;
    }
    return s;
}

static double with_static(int n, const double *a, double *b)
{
    static double s = 3;
    double before = s;
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        s = a[i];
        b[i] = s + 2;
    }
    return before;
}

static double with_address(int n, const double *a, double *b)
{
    double s = 3, *p = &s;
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        s = a[i];
        b[i] = s + 3;
    }
    return *p;
}

static double with_computed_jump(int n, const double *a, double *b)
{
    void *to = &&end;
    double s = 3;
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        s = a[i];
        b[i] = s + 4;
    }
    goto *to;
    s = 0;
end:
    return s;
}

static double with_assembly(int n, const double *a, double *b)
{
    double s = 3;
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        s = a[i];
        b[i] = s + 5;
    }
    __asm__ volatile("" : "+m"(s));
    return s;
}

static double with_cleanup(int n, const double *a, double *b)
{
    int guard __attribute__((cleanup(report))) = 3;
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        guard = i;
        b[i] = a[i] + guard;
    }
    return 0;
}

static double with_switch(int n, const double *a, double *b)
{
    double s = 3;
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        s = a[i];
        b[i] = s + 7;
    }
    switch (n) {
    case 2:
        s = 1;
        break;
    case 17:
        n = 3;
    }
    return s + n;
}

static double with_loop(int n, const double *a, double *b)
{
    double s = 3, sum = 0;
    int k = 3;
    do {
        sum += s;
#pragma stencil
        for (int i = 1; i < n - 1; i++) {
            s = a[i] + k;
            b[i] = s + 8;
        }
    } while (--k);
    return sum;
}

static double with_global(int n, const double *a, double *b)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        seen = a[i];
        b[i] = seen + 8;
    }
    return 0;
}

static double with_size(int n, const double *a, double *b)
{
    double s = 0, tail__rows[2][n];
    fill_double(tail__rows[0], 2 * n, 9);
    for (int k = 1; k < 3; k++) {
        int width = n + k;
        double rows[2][width];
        fill_double(rows[0], 2 * width, k);
#pragma stencil
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i] + rows[1][i] * tail__rows[1][i];
        width = 0;
        s += rows[1][n - 1] + width;
    }
    return s;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    double (*const all[])(int, const double *, double *) = {
        with_setjmp,   with_static,  with_static, with_address, with_computed_jump,
        with_assembly, with_cleanup, with_switch, with_loop,   with_global, with_size,
    };
    for (int k = 0; k < 11; k++) {
        double result = all[k](n, a, b);
        printf("%.17g %.17g\n", result, seen);
        show_double("b", b, n);
    }
    free(a), free(b);
    return 0;
}
