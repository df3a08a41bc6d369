// The head of a loop that the host keeps reads limits through pointers, which lead to no element.
// args: 20 60 0.01 ; 20 7 0.5 ; 33 9 0
// form: loops that the host keeps: while (it < most && change > *limit + slack[1])
#include "dump.h"
#include <math.h>

static int relax(int n, int most, double *u, double *old, double *limit, const float *slack)
{
    int it = 0;
    double change = 1e9;
#pragma stencil
    while (it < most && change > *limit + slack[1]) {
        double *now = old, sum = 0;
        old = u;
        u = now;
        for (int i = 1; i < n - 1; i++) {
            u[i] = 0.5 * (old[i - 1] + old[i + 1]);
            sum += (u[i] - old[i]) * (u[i] - old[i]);
        }
        change = sqrt(sum);
        it++;
    }
    *limit = change;
    return it;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), most = argument(argc, argv, 2, 60);
    double limit = argc > 3 ? atof(argv[3]) : 0.01, *u = new_double((size_t)n, 1), *old = new_double((size_t)n, 2);
    float slack[2] = {1, 0.0625f};
    printf("%d\n", relax(n, most, u, old, &limit, slack));
    printf("%a\n", limit);
    show_double("u", u, (size_t)n);
    show_double("old", old, (size_t)n);
    return 0;
}
