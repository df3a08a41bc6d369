// Scalars that the nest leaves are read by ways through break, continue, switch, goto and loops around the nest.
// args: 17 ; 1 ; 33
#include "dump.h"

static void fill(int n, double *a, double *b)
{
    fill_double(a, n, 1);
    fill_double(b, n, 2);
}

static double with_break(int n, double *a, double *b)
{
    double s = -1;
    for (int k = 0; k < 3; k++) {
#pragma stencil
        for (int i = 1; i < n - 1; i++) {
            s = a[i];
            b[i] = s + k;
        }
        if (k == 1)
            break;
        s = 0;
    }
    return s;
}

static double with_continue(int n, double *a, double *b)
{
    double s = -1;
    for (int k = 0; k < 3; k++) {
        double before = s;
#pragma stencil
        for (int i = 1; i < n - 1; i++) {
            s = -a[i];
            b[i] = s;
        }
        a[0] = before;
        if (k == 1)
            continue;
        s = 5;
    }
    return s;
}

static double with_endless_loop(int n, double *a, double *b)
{
    double s = -1;
    int k = 0;
    while (1) {
#pragma stencil
        for (int i = 1; i < n - 1; i++) {
            s = a[i] + 1;
            b[i] = s;
        }
        if (k++ == 2)
            break;
        s = 0;
    }
    do {
        if (k > 100)
            break;
        s += 1;
    } while (0);
    return s;
}

static double with_do(int n, double *a, double *b)
{
    float s = -1;
    do {
#pragma stencil
        for (int i = 1; i < n - 1; i++) {
            s = (float)a[i];
            b[i] = s;
        }
        if (n > 20)
            break;
        s = 0;
    } while (0);
    return s;
}

static double with_switch(int n, double *a, double *b)
{
    int s = -1;
    switch (n & 1) {
    case 1:
#pragma stencil
        for (int i = 1; i < n - 1; i++) {
            s = 3 * i - n;
            b[i] = s * a[i];
        }
        /* fall through */
    case 2:
        s = s + 1;
        break;
    default:
        s = 0;
    }
    return s;
}

static double with_goto(int n, double *a, double *b)
{
    double s = -1;
    int again = 2;
repeat:
    a[0] = s;
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        s = i > 4 ? a[i] : a[i + 1];
        b[i] = s;
    }
    if (again--)
        goto repeat;
    s = 0;
    return s;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17);
    double *a = new_double(n + 2, 1), *b = new_double(n + 2, 2);
    double (*const all[])(int, double *, double *) = { with_break,  with_continue, with_endless_loop,
                                                       with_do,     with_switch,   with_goto };
    for (int k = 0; k < 6; k++) {
        fill(n, a, b);
        printf("%.17g\n", all[k](n, a, b));
        show_double("a", a, n);
        show_double("b", b, n);
    }
    return 0;
}
