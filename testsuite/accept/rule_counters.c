// Counters beside the loop's variable: of steps, in subscripts, with other types, upward and downward.
// form: scalars by rule: nstep++;
// form: scalars by rule: k--;
// args: 17 2 5 ; 20 -3 4 ; 9 0 0
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), first = argument(argc, argv, 2, 2), count = argument(argc, argv, 3, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2), *pulse = new_double(3 * count + 40, 3);
    int nstep = 7, down = 2 * count + 9, t;
    unsigned even = 4294967290u;
    long far = -5;
#pragma stencil
    for (t = first; t < first + count; t++) {
        int k = n - 2;
        nstep++;
        for (int i = 1; i < n - 1; i++) {
            b[i] = a[k] + pulse[nstep] * even + pulse[down] + far;
            k--;
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = 0.5 * b[i];
        down -= 2;
        even += 3;
        far = 10 + far;
    }
    show_double("a", a, n);
    show_double("b", b, n);
    printf("%d %d %d %u %ld\n", t, nstep, down, even, far);
    return 0;
}
