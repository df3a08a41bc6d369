// Loop headers and what C makes of them: conversions to unsigned types, narrow variables, variables that outlive the loop.
// fallback: allowed
// cflags: -Wno-sign-compare -Wno-type-limits
#include <stddef.h>
#include <stdio.h>

#define SIZE 24

static double a[SIZE], b[SIZE];

static void reset(void)
{
    for (int i = 0; i < SIZE; i++) {
        a[i] = 100 + i;
        b[i] = -1;
    }
}

static void show(const char *name, long left)
{
    printf("%s %ld:", name, left);
    for (int i = 0; i < SIZE; i++)
        printf(" %g", b[i]);
    printf("\n");
}

static void long_into_int(long lo)
{
    int i;
#pragma stencil
    for (i = lo; i < 7; i++)
        b[i] = a[i - 1];
    show("long_into_int", i);
}

static void unsigned_bound(int first, unsigned n)
{
    int i;
#pragma stencil
    for (i = first; i < n; i++)
        b[i] = a[i + 1];
    show("unsigned_bound", i);
}

static void from_signed(int lo, unsigned n)
{
    unsigned k;
#pragma stencil
    for (k = lo; k < n; k++)
        b[k] = a[k];
    show("from_signed", k);
}

static void before(unsigned n)
{
    unsigned k;
#pragma stencil
    for (k = 1; k - 1 < n; k++)
        b[k] = a[k - 1];
    show("before", k);
}

static void unsigned_time(int first, unsigned n)
{
    int t, i = 0;
#pragma stencil
    for (t = first; t < n; t++)
        for (i = 1; i < 9; i++)
            b[i] += a[i] * t;
    show("unsigned_time", t * 100 + i);
}

static void countdown(unsigned n)
{
    unsigned i;
#pragma stencil
    for (i = n - 1; i < n; i--)
        b[i] = a[i + 1];
    show("countdown", (long)i);
}

static void narrow(int n)
{
    unsigned char k;
#pragma stencil
    for (k = 1; k < n; k++)
        b[k] = a[k - 1];
    show("narrow", k);
}

static void size_of(void)
{
    size_t i;
#pragma stencil
    for (i = 1; i < sizeof(a) / sizeof(a[0]) - 1; i++)
        b[i] = a[i - 1] + a[i + 1];
    show("size_of", (long)i);
}

static void unrolled(void)
{
    int i;
#pragma stencil
    for (i = 4; i < 12; i++) {
        double s = 0;
        for (int k = -1; k < 3u; k++)
            s += a[i + k];
        for (int k = 0; k < 4; k++) {
            s += a[i + k];
            if (k == 1)
                k = 2;
        }
        for (unsigned char k = 250; k > 5; k++)
            s += a[i - 250 + k - 3];
        for (int k = 1; k < 5; k *= 2)
            s += 1000 * k;
        for (int k = 3; k < 3; k++)
            b[i - 4] = s;
        b[i] = s;
    }
    show("unrolled", i);
}

static void fixed(int sign)
{
    int i;
    const unsigned char width = 3 * sign;
#pragma stencil
    for (i = 1; i <= width; i++)
        b[i] = a[i];
    show("fixed", i);
}

static void offset(unsigned m, unsigned n)
{
    unsigned q;
#pragma stencil
    for (q = 2; q < n; q++)
        b[q + m] = a[q - 2u + m + 1u];
    show("offset", q);
}

int main(void)
{
    reset(); long_into_int((1L << 32) + 3);
    reset(); long_into_int(3);
    reset(); unsigned_bound(2, 9);
    reset(); from_signed(2, 8);
    reset(); from_signed(-1, 8);
    reset(); before(5);
    reset(); unsigned_time(0, 3);
    reset(); unsigned_time(-1, 3);
    reset(); countdown(5);
    reset(); countdown(0);
    reset(); narrow(7);
    reset(); size_of();
    reset(); unrolled();
    reset(); fixed(2);
    reset(); offset(-1, 9);
    reset(); offset(3, 9);
    return 0;
}
