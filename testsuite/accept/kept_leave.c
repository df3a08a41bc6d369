// The host leaves its loop by `break` or `return`, or goes on early, as what it reads tells it.
// args: 20 30 0.4 ; 20 30 0.01 ; 20 30 2.5 ; 20 3 0.4
// form: loops that the host keeps: while (k < most)
#include "dump.h"

static int relax(int n, double *a, double *b, int most, double limit)
{
    int k = 0;
#pragma stencil
    while (k < most) {
        k++;
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        if (k < 4)
            continue;
        if (a[n / 2] < limit)
            break;
        if (a[1] > 2)
            return -k;
    }
    return k;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), most = argument(argc, argv, 2, 30);
    double limit = argc > 3 ? atof(argv[3]) : 0.4;
    double *a = new_double((size_t)n, 1), *b = new_double((size_t)n, 2);
    printf("%d\n", relax(n, a, b, most, limit));
    show_double("a", a, (size_t)n);
    show_double("b", b, (size_t)n);
    return 0;
}
