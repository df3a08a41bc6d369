// `continue`, `switch` with cases that run into others, and functions that return early choose what is done at a point.
// form: bodies: if (flux > 0.75) continue;
// form: bodies: switch ((enum kind)kinds[i]) {
// args: 5 29 ; 1 3
// cflags: -Wno-implicit-fallthrough
#include "dump.h"

enum kind { FLUID, WALL, SOURCE, SINK };

static int is_edge(int i, int n)
{
    if (i < 2)
        return 1;
    return i > n - 3;
}

static void flow(int n, const int *kinds, const double *from, double *to)
{
    for (int i = 1; i < n - 1; i++) {
        double flux = 0;
        if (is_edge(i, n)) {
            to[i] = from[i];
            continue;
        }
        switch ((enum kind)kinds[i]) {
        case WALL:
            break;
        case SOURCE:
            flux = 1;
            /* runs into the next one */
        case FLUID:
            flux += from[i - 1] - from[i];
            break;
        default: {
            flux = -from[i];
            if (from[i] < 0)
                break;
            flux *= 0.5;
        }
        }
        if (flux > 0.75)
            continue;
        to[i] = from[i] + 0.125 * flux;
    }
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5), n = argument(argc, argv, 2, 29);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    int *kinds = malloc(n * sizeof *kinds);
    for (int i = 0; i < n; i++)
        kinds[i] = (int)(16 * (noise(i) + 0.5)) % 4;
#pragma stencil extent(kinds[0:n], a[0:n], b[0:n])
    for (int t = 0; t < steps; t++) {
        flow(n, kinds, a, b);
        flow(n, kinds, b, a);
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
