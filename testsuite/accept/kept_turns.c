// Steps turn the number of the present buffer themselves, in a function, and the host looks at what they leave.
// args: 20 30 0 37 1e-3 ; 13 17 1 3 0 ; 9 9 2 40 0.5 ; 12 10 1 1 1e-9
// form: loops that the host keeps: now = (now + 1) % LEVELS;
#include "dump.h"
#include <math.h>

#define LEVELS 3

static double ***values;
static int now;
static double elapsed, dt = 0.125;
static long updates = 7;

static void step(int n, int m)
{
    int before = now, next = (now + 1) % LEVELS;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            values[next][i][j] = 0.2 * (values[before][i - 1][j] + values[before][i + 1][j] + values[before][i][j - 1] +
                                        values[before][i][j + 1]) + 1e-3 * elapsed + 1e-6 * (double)updates;
    elapsed += dt;
    updates += 3;
    now = (now + 1) % LEVELS;
}

static int is_settled(int n, int m, double limit)
{
    int before = (now - 1 + LEVELS) % LEVELS;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            if (fabs(values[before][i][j] - values[now][i][j]) > limit)
                return 0;
    return 1;
}

static void show(const char *title, int n, int m)
{
    printf("%s: %d %a %ld\n", title, now, elapsed, updates);
    for (int level = 0; level < LEVELS; level++)
        for (int i = 0; i < n; i++)
            show_double("values", values[level][i], (size_t)m);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), m = argument(argc, argv, 2, 30), steps = argument(argc, argv, 4, 37);
    double limit = argc > 5 ? atof(argv[5]) : 1e-3;
    now = argument(argc, argv, 3, 0);
    values = malloc(LEVELS * sizeof *values);
    for (int level = 0; level < LEVELS; level++) {
        values[level] = malloc((size_t)n * sizeof **values);
        for (int i = 0; i < n; i++)
            values[level][i] = new_double((size_t)m, 1 + level * n + i);
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        step(n, m);
        if (is_settled(n, m, limit)) {
            printf("settled at %d\n", t);
            break;
        }
        if (t == 20)
            now = 1;
        if (t % 9 == 8)
            printf("%d %d %a\n", t, now, values[now][n / 2][m / 2]);
    }
    show("behind", n, m);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        step(n, m);
        if (t % 7 == 0)
            printf("%d %d %a %ld\n", t, now, elapsed, updates);
    }
    show("at the end", n, m);
    return 0;
}
