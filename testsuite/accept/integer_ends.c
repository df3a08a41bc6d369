// Ends of loops in narrow and unsigned types: until `!=`, at most, at least, with something added, downward.
// fallback: allowed
// cflags: -Wno-sign-compare -Wno-type-limits
#include <stdio.h>

#define SIZE 40

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

static void narrow_until(int n)
{
    unsigned char k;
#pragma stencil
    for (k = 2; k != n; k++)
        b[k] = a[k - 1];
    show("narrow_until", k);
}

static void unsigned_until(unsigned n)
{
    unsigned k;
#pragma stencil
    for (k = 30; k != n; k--)
        b[k] = a[k + 1];
    show("unsigned_until", k);
}

static void at_most(unsigned n)
{
    unsigned k;
#pragma stencil
    for (k = 1; k <= n; k += 2)
        b[k] = a[k - 1];
    show("at_most", k);
}

static void at_least(unsigned n)
{
    unsigned k;
#pragma stencil
    for (k = 30; k >= n; k -= 3)
        b[k] = a[k - 1];
    show("at_least", k);
}

static void above(unsigned short n)
{
    unsigned short k;
#pragma stencil
    for (k = 20; k > n; k--)
        b[k] = a[k - 1];
    show("above", k);
}

static void with_shift(unsigned n, unsigned m)
{
    unsigned k;
#pragma stencil
    for (k = 1; k + (m << 1) < n; k++)
        b[k] = a[k - 1];
    show("with_shift", k);
}

static void with_quotient(int n, int m)
{
    int k;
#pragma stencil
    for (k = 1; k + n / m < 20; k++)
        b[k] = a[k - 1];
    show("with_quotient", k);
}

static void inner_quotient(int n)
{
    int t, k = 0;
#pragma stencil
    for (t = 1; t < 5; t++)
        for (k = 1; k < n / 2 + 3; k++)
            b[k] = a[k - 1] + t;
    show("inner_quotient", k + t);
}

static void unrolled_relations(void)
{
    int i;
#pragma stencil
    for (i = 4; i < 30; i++) {
        double s = 0, r = 1;
        for (int k = 3; k >= 0; k--)
            s += a[i + k];
        for (int k = 3; k > -2; k -= 2)
            s -= a[i + k];
        for (int k = 0; k <= 2; k++)
            s = s * 2 + a[i - k];
        double last;
        for (int k = 0; k < 3; k++) {
            last = a[i - k] * k;
            s += last;
        }
        for (int k = 0; k != 3; k++) {
            double own = a[i] * k, before;
            before = own;
            own += before;
            r *= own;
        }
        b[i] = s + r;
    }
    show("unrolled_relations", i);
}

int main(void)
{
    reset(); narrow_until(9);
    reset(); narrow_until(2);
    reset(); unsigned_until(5);
    reset(); at_most(12);
    reset(); at_most(0);
    reset(); at_least(3);
    reset(); above(4);
    reset(); above(25);
    reset(); with_shift(20, 4);
    reset(); with_shift(3, 4);
    reset(); with_quotient(20, 3);
    reset(); inner_quotient(9);
    reset(); unrolled_relations();
    return 0;
}
