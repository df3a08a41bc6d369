// Loops whose heads count and look at what is folded; folds in which the step counts; sweeps over members of structures.
// args: 70 40 0.2 ; 70 9 0.01 ; 9 0 0.3 ; 3 5 0
// form: sums, maxima and counts over points: for (t = 0; t < steps && change > tol; t++)
#include <math.h>
#include "dump.h"

static int relax(int n, int steps, double tol, double *a, double *b)
{
    double change = 1e9;
    int t;
#pragma stencil
    for (t = 0; t < steps && change > tol; t++) {
        change = 0;
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++) {
            if (fabs(b[i] - a[i]) > change)
                change = fabs(b[i] - a[i]);
            a[i] = b[i];
        }
    }
    printf("%d %a\n", t, change);
    return t;
}

static void count_steps(int n, int steps, double *a, double *b)
{
    long count = 0;
    int last = -1;
#pragma stencil
    for (int t = 3; t < steps; t += 2) {
        count = 0;
        for (int i = 1; i < n - 1; i++) {
            b[i] = a[i - 1] - 0.25 * a[i + 1];
            if (t >= 5 && i != 4)
                count += t;
            if (b[i] > 0.1)
                last = t;
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        printf("%d %ld %d\n", t, count, last);
    }
}

struct cell {
    double old, now;
};

static double diffuse(int n, int steps, double tol, struct cell *cells)
{
    double sum = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sum = 0;
        for (int i = 1; i < n - 1; i++) {
            cells[i].now = 0.5 * (cells[i - 1].old + cells[i + 1].old);
            sum += cells[i].now * cells[i].now;
        }
        for (int i = 1; i < n - 1; i++)
            cells[i].old = cells[i].now;
        if (sum < tol)
            break;
    }
    return sum;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 70), steps = argument(argc, argv, 2, 40);
    double tol = argc > 3 ? atof(argv[3]) : 0.2;
    double *a = new_double((size_t)n, 1), *b = new_double((size_t)n, 2);
    double *cells = new_double((size_t)n * 2, 3);
    relax(n, steps, tol, a, b);
    count_steps(n, steps, a, b);
    printf("%a\n", diffuse(n, steps, tol, (struct cell *)cells));
    show_double("a", a, (size_t)n);
    show_double("b", b, (size_t)n);
    show_double("cells", cells, (size_t)n * 2);
    return 0;
}
