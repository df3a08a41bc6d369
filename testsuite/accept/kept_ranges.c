// Behind the sweeps of each step a function moves the ends of their ranges, through pointers or in a structure; a range that has
// shrunk to its least size stays.
// form: loops that the host keeps: narrow(&ends);
// args: 40 17 ; 23 30 ; 9 2
#include "dump.h"

struct window { int first, end; };

static void shrink(int *end)
{
    if (*end > 10)
        --*end;
}

static void widen(int *first, int *end, int n)
{
    if (*first > 1)
        --*first;
    if (*end < n - 1)
        ++*end;
}

static void narrow(struct window *w)
{
    if (w->end - w->first > 4) {
        w->first++;
        w->end--;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), steps = argument(argc, argv, 2, 17);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    int end = n - 1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < end; i++)
            b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
        for (int i = 1; i < end; i++)
            a[i] = b[i];
        shrink(&end);
    }
    show_double("a", a, n); show_double("b", b, n);
    int lo = n / 2, hi = n / 2 + 1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = lo; i < hi; i++)
            b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
        for (int i = lo; i < hi; i++)
            a[i] = b[i];
        widen(&lo, &hi, n);
        if (t % 5 == 4)
            printf("%d to %d\n", lo, hi);
    }
    show_double("a", a, n); show_double("b", b, n);
    struct window ends = { 1, n - 1 };
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = ends.first; i < ends.end; i++)
            b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
        for (int i = ends.first; i < ends.end; i++)
            a[i] = b[i];
        narrow(&ends);
    }
    show_double("a", a, n); show_double("b", b, n);
    int least = n - 1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < least; i++)
            b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
        for (int i = 1; i < least; i++)
            a[i] = b[i];
        if (least > 10)
            least--;
    }
    show_double("a", a, n); show_double("b", b, n);
    printf("%d %d %d %d %d %d\n", end, lo, hi, ends.first, ends.end, least);
    return 0;
}
