// Jumps leave the loop that the host keeps for labels outside it.
// args: 150 77 0.1 ; 20 7 1e-9 ; 9 0 1
// form: loops that the host keeps: if (k >= steps) { reason = 2; goto out; }
#include "dump.h"
#include <math.h>

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 150), steps = argument(argc, argv, 2, 77), k = 0, reason = 0, again = 0;
    double limit = argc > 3 ? atof(argv[3]) : 0.1, change;
    double *a = new_double((size_t)n, 1), *b = new_double((size_t)n, 2);
start:
    again++;
#pragma stencil
    for (;;) {
        change = 0;
        for (int i = 1; i < n - 1; i++) {
            b[i] = (a[i - 1] + a[i + 1]) / 2;
            change += fabs(b[i] - a[i]);
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        ++k;
        if (isnan(change))
            break;
        if (change < limit) {
            puts("settled");
            goto out;
        }
        if (k == 5 && again == 1) {
            a[n / 2] = 3;
            goto start;
        }
        if (k >= steps) { reason = 2; goto out; }
    }
    puts("no number");
out:
    printf("%d %d %d %a\n", reason, k, again, change);
    show_double("a", a, (size_t)n);
    return 0;
}
