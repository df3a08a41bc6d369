// Functions in many forms: parameters that are changed, names that hide others, results of narrower types, pointers that are
// returned, counters of steps, early returns among stores.
// form: calls: ends(a[i - 1], &low, &high);
// form: calls: row(c, i)[j] = narrow(row(a, i - 1)[j])
// form: calls: advance();
// form: calls: if (t % 2) return;
// form: calls: exchange(&p, &q);
// args: 5 41 ; 2 7
#include "dump.h"

static int n, counter;
static double now, dt = 0.0625;

static double *row(double *a, int i) { return a + i * n; }
static float narrow(double x) { return x * 1.1; }
static unsigned char wrapped(int x) { return x * 77; }
static int whole(double x) { return x * 10; }

static double odd(double x, int i)
{
    if (i > 5) {
        if (x > 0)
            return 1;
        x = x * 2;
        if (x < -0.5)
            return 2;
    } else if (i == 3)
        return 3;
    x += 1;
    return x * 0.5;
}

static void ends(double x, double *low, double *high)
{
    *low = x;
    *high = x + 1;
    if (x < 0) {
        *low = -x;
        return;
    }
    *high *= 2;
}

static void point(double *b, const double *a, int i)
{
    if (i < 4) {
        b[i] = 1;
        return;
    }
    b[i] = a[i];
    if (a[i] > 0)
        return;
    b[i] = -a[i - 1];
}

static void advance(void)
{
    now += dt;
    counter += 3;
}

static void even_steps(int t, int m, const double *a, double *b)
{
    if (t % 2)
        return;
    m -= 1;
    for (int i = 1; i < m; i++)
        b[i] = a[i - 1] * 0.5 + a[i + 1] * 0.25;
}

static void exchange(double **p, double **q)
{
    double *t = *p;
    *p = *q;
    *q = t;
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5);
    n = argument(argc, argv, 2, 41);
    double *a = new_double(n * n, 1), *b = new_double(n * n, 2), *c = new_double(n * n, 3), *p = a, *q = b;
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            row(c, i)[j] = narrow(row(a, i - 1)[j]) + wrapped(i * j) + whole(*(row(b, i) + j - 1));
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            double low, high;
            ends(a[i - 1], &low, &high);
            point(b, a, i);
            c[i] = odd(low, i) - now * high;
        }
        advance();
        for (int i = 1; i < n - 1; i++)
            a[i] = 0.5 * b[i] + 0.25 * c[i];
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        even_steps(t, n, p, q);
        even_steps(t + 1, n, q, p);
        exchange(&p, &q);
    }
    printf("%d %d %g\n", p == a, counter, now);
    show_double("a", a, n * n);
    show_double("b", b, n * n);
    show_double("c", c, n * n);
    return 0;
}
