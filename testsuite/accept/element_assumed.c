// Elements that are read under conditions on data alone: nothing else shows that the array has them, but there is memory.
// form: bodies: if (a[c] == 0) { if (around[j - 1 + (i - 1) * m] == 3) a[c] = 1;
// args: 7 9 3 ; 23 18 5
#include "dump.h"

static void live(int n, int m, int *a, const int *around)
{
#pragma stencil
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int c = j + i * (m + 2);
            if (a[c] == 0) {
                if (around[j - 1 + (i - 1) * m] == 3)
                    a[c] = 1;
            } else if (a[c] == 1) {
                if (around[j - 1 + (i - 1) * m] < 2 || 3 < around[j - 1 + (i - 1) * m])
                    a[c] = 0;
            }
        }
}

static void spread(int n, int steps, double *a, double *b, const double *source, const unsigned char *is_open)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = is_open[i] ? 0.5 * (a[i - 1] + source[i]) : a[i];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 7), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 3);
    int count = (n + 2) * (m + 2);
    int *a = malloc(count * sizeof *a), *around = malloc(n * m * sizeof *around);
    double *u = new_double(count, 1), *v = new_double(count, 2), *source = new_double(count, 3);
    unsigned char *is_open = malloc(count);
    for (int i = 0; i < count; i++) {
        a[i] = noise(i) > 0.1;
        is_open[i] = noise(i + 99) > 0;
    }
    for (int i = 0; i < n * m; i++)
        around[i] = (int)(8 * (noise(i + 7) + 0.5));
    live(n, m, a, around);
    spread(count, steps, u, v, source, is_open);
    show_int("a", a, count);
    show_double("u", u, count);
    show_double("v", v, count);
    return 0;
}
