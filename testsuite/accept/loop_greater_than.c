// A loop that runs downwards with >.
// args: 17 5 ; 30 4 ; 2 2
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    int t = 0, i = 0;
#pragma stencil
    for (t = steps; t > 0; --t) {
        for (i = n - 2; i > 0; i--)
            b[i] = a[i - 1] - 0.5 * a[i + 1];
        for (i = n - 2; i > 0; i -= 1)
            a[i] = 0.5 * b[i];
    }
    printf("i = %d, t = %d\n", i, t);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
