// Functions may return out of loops that are executed iteration by iteration.
// args: 17 5 2 ; 12 4 9
// form: calls: for (int i = 0; i < FIELDS; i++) if (flags[i]) return true;
#include "dump.h"
#include <stdbool.h>

enum { FIELDS = 4 };

static bool any(const bool *flags)
{
    for (int i = 0; i < FIELDS; i++) if (flags[i]) return true;
    return false;
}

/* How far a value is below the first limit that it is below; others make it smaller. */
static double below(const double *limits, double x)
{
    for (int i = 0; i < 3; i++) {
        if (x < limits[i])
            return limits[i] - x;
        x -= 0.125 * i;
    }
    return x;
}

/* The first cell of three by two around a point that has a greater value; some do not count. */
static int greater(int n, const double *a, int at)
{
    for (int i = -1; i <= 1; i++)
        for (int j = 0; j < 2; j++) {
            if (j == 1 && a[at + i * n] < 0)
                continue;
            if (a[at + i * n + j] > a[at])
                return 10 * i + j;
        }
    return -100;
}

static void borders(int n, double *a, const bool *flags)
{
    if (!any(flags))
        return;
    for (int i = 0; i < n; i++) {
        a[i] = a[n + i];
        a[(n - 1) * n + i] = a[(n - 2) * n + i];
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 17, steps = argc > 2 ? atoi(argv[2]) : 5, which = argc > 3 ? atoi(argv[3]) : 2;
    double *a = new_double(n * n, 1), *b = new_double(n * n, 2), limits[3] = { -0.25, 0.125, 0.375 };
    bool flags[FIELDS] = { 0 };
    if (which < FIELDS)
        flags[which] = true;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                int at = i * n + j;
                b[at] = 0.25 * (a[at - 1] + a[at + 1] + a[at - n] + a[at + n]) + below(limits, a[at]);
                b[at] += 0.001 * greater(n, a, at);
            }
        borders(n, b, flags);
        double *c = a;
        a = b;
        b = c;
    }
    show_double("a", a, n * n);
    show_double("b", b, n * n);
    return 0;
}
