// Pointers that no rotation explains hold what the last step gave them, or what they held before the first.
// args: 17 5 ; 20 0 ; 13 1 ; 14 2
#include "dump.h"

static double *seen;

static void show_seen(int n)
{
    show_double("seen", seen, n);
}

/* The last written buffer, by a swap and without one. */
static double *last_of_swap(int n, int steps, double *a, double *b)
{
    double *last = a + 1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        last = b;
        double *swap = a;
        a = b;
        b = swap;
    }
    return last;
}

static double *last_of_copy(int n, int steps, double *a, double *b)
{
    double *last = a;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        last = b;
    }
    return last;
}

/* A pointer that another function reads. */
static void global_pointer(int n, int steps, double *a, double *b)
{
    seen = a;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]) + t;
        seen = b + t;
    }
    show_seen(n - steps);
}

/* Names given to the buffers at the start of each step; a history of two. */
static double *renamed(int n, int steps, double *A, double *B, double **older)
{
    double *cur = B, *nxt = A, *before = A, *twice_before = A;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        cur = A;
        nxt = B;
        for (int i = 1; i < n - 1; i++)
            nxt[i] = 0.5 * (cur[i - 1] + cur[i + 1]);
        for (int i = 1; i < n - 1; i++)
            cur[i] = nxt[i];
        twice_before = before;
        before = nxt;
    }
    *older = twice_before;
    return before == nxt ? cur : nxt;
}

/* One helper for two swaps. */
static void *one_helper(int n, int steps, double **a, double **b, double **c, double **d)
{
    double *u = *a, *v = *b, *x = *c, *y = *d;
    void *helper = NULL;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
            y[i] = x[i] - u[i];
        }
        helper = u;
        u = v;
        v = helper;
        helper = x;
        x = y;
        y = helper;
    }
    *a = u, *b = v, *c = x, *d = y;
    return helper;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2), *c = new_double(n, 3), *d = new_double(n, 4);
    double *older, *last, *const at[] = { a, b, c, d };
    void *helper;
    last = last_of_swap(n, steps, a, b);
    printf("%d %d\n", last == a, last == b);
    last = last_of_copy(n, steps, a, b);
    printf("%d %d\n", last == a, last == b);
    global_pointer(n, steps, a, b);
    last = renamed(n, steps, a, b, &older);
    printf("%d %d %d %d\n", last == a, last == b, older == a, older == b);
    helper = one_helper(n, steps, &a, &b, &c, &d);
    for (int k = 0; k < 4; k++)
        printf("%d%d%d%d%d ", a == at[k], b == at[k], c == at[k], d == at[k], helper == at[k]);
    printf("\n");
    for (int k = 0; k < 4; k++)
        show_double("array", at[k], n);
    return 0;
}
