// A step declares two variables at once that the host needs behind it.
// args: 300 40 0.4 ; 300 7 0 ; 20 30 0.5
#include "dump.h"

static double sweep(int n, const double *a, double *b)
{
    double most = 0;
    for (int i = 1; i < n - 1; i++) {
        b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        most = b[i] > most ? b[i] : most;
    }
    return most;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 300), steps = argument(argc, argv, 2, 40), t;
    double limit = argc > 3 ? atof(argv[3]) : 0.4;
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    for (t = 0; t < steps; t++) {
        double first = sweep(n, a, b), second = sweep(n, b, a);
        if (first < limit && second < limit)
            break;
        if (t % 9 == 4 && second > first)
            printf("%d %a\n", t, second);
    }
    printf("%d\n", t);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
