// The swap's third pointer is declared before the nest and used afterwards.
// form: time levels: tmp = a, a = b, b = tmp;
// args: 17 5 ; 20 4 ; 9 0
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2), *tmp = NULL;
    double *first = a;
    int t, i;
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        tmp = a, a = b, b = tmp;
    }
    printf("%d %d %d\n", tmp == NULL, tmp == b, a == first);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
