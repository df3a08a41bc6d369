// Pointers that hold a buffer from before the sweep until the exchange behind it, in loops that the host keeps.
// args: 300 23 ; 40 9 ; 7 1
// form: loops that the host keeps: double *spare = last;
#include "dump.h"
#include <math.h>

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 300), steps = argument(argc, argv, 2, 23);
    double *last = new_double((size_t)n, 1), *next = new_double((size_t)n, 2), *here = new_double((size_t)n, 3), most = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double *spare = last;
        for (int i = 1; i < n - 1; i++)
            last[i] = 1.9 * next[i] - 0.9 * last[i] + 0.05 * (next[i - 1] - 2 * next[i] + next[i + 1]);
        last = next;
        next = spare;
        if (t % 4 == 0)
            printf("%d %a\n", t, next[n / 2]);
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double *spare = here;
        for (int i = 1; i < n - 1; i++)
            here[i] = 0.5 * next[i] + 0.2 * (next[i - 1] + next[i + 1]);
        if (t % 5 == 3)
            printf("%d %a\n", t, spare[1]);
        here = next;
        next = spare;
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double *spare = last;
        most = 0;
        for (int i = 1; i < n - 1; i++) {
            double was = last[i];
            last[i] = 1.9 * next[i] - 0.9 * last[i] + 0.05 * (next[i - 1] - 2 * next[i] + next[i + 1]);
            most = fmax(most, fabs(last[i] - was));
        }
        last = next;
        next = spare;
        if (most < 1e-3)
            break;
    }
    printf("%a\n", most);
    show_double("last", last, (size_t)n);
    show_double("next", next, (size_t)n);
    show_double("here", here, (size_t)n);
    return 0;
}
