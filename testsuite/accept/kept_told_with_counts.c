// Between a sweep and what is done with it the host compares a sum, of which bounds are enough, and changes a count beside it.
// args: 6000 13 0 ; 6000 5 0 ; 6000 27 0 ; 6000 40 20 ; 50 12 0 ; 6000 23 0
// form: loops that the host keeps: count = count / 2;
#include <math.h>
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 6000), steps = argument(argc, argv, 2, 13), count = 0, t;
    double tol = argc > 3 ? atof(argv[3]) : 0, sum = 0;
    double *a = new_double(n, 1), *b = new_double(n, 2);
    for (int i = 0; i < n; i++)
        a[i] = b[i] = 0.25 * (i % 7);
#pragma stencil
    for (t = 0; t < steps; t++) {
        count = 0;
        sum = 0;
        for (int i = 1; i < n - 1; i++) {
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
            sum += (b[i] - a[i]) * (b[i] - a[i]);
            count += b[i] > 0.5;
        }
        if (t % 3 == 1)
            count = -count;
        if (sum < tol) break;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        if (t % 5 == 1)
            count = count / 2;
        if (t % 5 == 2)
            printf("%d\n", count);
        if (t % 7 == 6)
            printf("%a %d\n", sum, count);
    }
    printf("%d %d %a\n", t, count, sum);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
