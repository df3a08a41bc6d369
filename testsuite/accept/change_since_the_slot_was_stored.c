// What a point adds to a sum is the difference between what it stores and what its element held before, two steps old: rows that
// pointers lead to, and whole arrays.
// form: sums, maxima and counts over points: old -= before[i][j];
// args: 20 7 ; 9 0 ; 12 3
#include "dump.h"
#include <math.h>

static double **before, **now;

static double **rows(int n, double *cells)
{
    double **table = malloc((size_t)n * sizeof *table);
    for (int i = 0; i < n; i++)
        table[i] = cells + (size_t)i * (size_t)n;
    return table;
}

static void relax(int n, int most, const double *f)
{
    double change = 0, old, **spare;
    int k = 0;
#pragma stencil
    do {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                old = before[i][j];
                before[i][j] = (now[i][j - 1] + now[i][j + 1] + now[i - 1][j] + now[i + 1][j] + f[i * n + j]) * 0.25;
                old -= before[i][j];
                change += old < 0 ? -old : old;
            }
        change /= (double)n * n;
        spare = now;
        now = before;
        before = spare;
        k++;
    } while (k < most && change > 1e-9);
    printf("%d %a\n", k, change);
}

static void spring(int n, int steps, double *last, double *next)
{
    for (int pass = 0; pass < 2; pass++) {
        double most = 0;
#pragma stencil
        for (int t = 0; t < steps; t++) {
            double *spare;
            most = 0;
            for (int i = 1; i < n - 1; i++) {
                double was = last[i];
                last[i] = 1.9 * next[i] - 0.9 * last[i] + 0.05 * (next[i - 1] - 2 * next[i] + next[i + 1]);
                most = fmax(most, fabs(last[i] - was));
            }
            spare = last;
            last = next;
            next = spare;
        }
        printf("%a\n", most);
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 7);
    size_t count = (size_t)n * (size_t)n;
    double *u = new_double(count, 1), *v = new_double(count, 2), *f = new_double(count, 3);
    before = rows(n, u);
    now = rows(n, v);
    relax(n, steps, f);
    show_double("u", u, count);
    show_double("v", v, count);
    spring(n, steps, u, v);
    show_double("u", u, count);
    show_double("v", v, count);
    free(before);
    free(now);
    free(f);
    free(v);
    free(u);
    return 0;
}
