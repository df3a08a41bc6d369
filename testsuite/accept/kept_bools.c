// Scalars of type bool are folded, left and carried as any others.
// args: 5000 20 ; 300 7 ; 9 1
// form: loops that the host keeps: while (changed && k < steps)
// form: sums, maxima and counts over points: all = all && fabs(b[i] - a[i]) < 0.2;
#include "dump.h"
#include <math.h>
#include <stdbool.h>

static bool is_large;
struct state { bool done; int steps; };

static void smooth(double *b, const double *a, int n, double w)
{
    for (int i = 1; i < n - 1; i++)
        b[i] = w * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 5000), steps = argument(argc, argv, 2, 20), k = 0;
    double *a = new_double((size_t)n, 1), *b = new_double((size_t)n, 2);
    struct state state = { false, 0 };
    bool any = false, all = false, odd = false, changed = true;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        all = true;
        for (int i = 1; i < n - 1; i++) {
            b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
            all = all && fabs(b[i] - a[i]) < 0.2;
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        odd = !odd;
        if (all) {
            printf("all at %d %d\n", t, odd);
            break;
        }
    }
#pragma stencil
    do {
        state.done = true;
        any = is_large = false;
        for (int i = 1; i < n - 1; i++) {
            b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
            if (fabs(b[i] - a[i]) > 0.01)
                state.done = false;
            any |= b[i] > 0.7;
            if (b[i] > 0.5)
                is_large = 7;
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        state.steps++;
        if (state.steps % 16 == 0)
            printf("%d %d %d\n", any, is_large, state.done);
    } while (!state.done && state.steps < 60);
    printf("%d %d %d %d\n", any, is_large, state.done, state.steps);
#pragma stencil
    while (changed && k < steps) {
        changed = false;
        for (int i = 1; i < n - 1; i++) {
            b[i] = a[i] > 0.3 ? 0.5 * a[i - 1] : a[i + 1];
            if (b[i] != a[i])
                changed = true;
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        k++;
    }
    printf("%d %d\n", k, changed);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        smooth(b, a, n, odd ? 0.25 : 0.3);
        smooth(a, b, n, 0.25);
        odd = !odd;
        any = t > 3.5;
    }
    printf("%d %d\n", odd, any);
    show_double("a", a, (size_t)n);
    return 0;
}
