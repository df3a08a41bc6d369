// The host makes norms of a sum of squares between a sweep and the loop that copies it back, prints them now and then, and leaves by them.
// args: 70 40 0.3 ; 70 21 0 ; 20 60 0.02 ; 70 3 90
// form: loops that the host keeps: err = sqrt(all / (n * n));
// form: loops that the host keeps: double rel = l2 / n;
// form: loops that the host keeps: if (it > 0 && err < tol * first)
#include <math.h>
#include "dump.h"

static int solve(int n, double *u, double *v, int most, double tol, double *last)
{
    double l2 = 0;
    int it;
#pragma stencil
    for (it = 0; it < most; it++) {
        double sum = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                int at = i * n + j;
                v[at] = 0.25 * (u[at - n] + u[at + n] + u[at - 1] + u[at + 1]);
                sum += (v[at] - u[at]) * (v[at] - u[at]);
            }
        l2 = sqrt(sum / n);
        if (l2 < tol)
            return it;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i * n + j] = v[i * n + j];
    }
    *last = l2;
    return -1;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 70), most = argument(argc, argv, 2, 40), it;
    double tol = argc > 3 ? atof(argv[3]) : 0.3, err = -1, first = 0, all = 0, last = -1;
    double *u = new_double((size_t)n * n, 1), *v = new_double((size_t)n * n, 2);
#pragma stencil
    for (it = 0; it < most; it++) {
        all = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                int at = i * n + j;
                v[at] = 0.25 * (u[at - n] + u[at + n] + u[at - 1] + u[at + 1]);
                all += (v[at] - u[at]) * (v[at] - u[at]);
            }
        err = sqrt(all / (n * n));
        if (it % 7 == 3)
            printf("%d %a %a\n", it, err, all);
        if (it == 0)
            first = err;
        if (it > 0 && err < tol * first)
            break;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i * n + j] = v[i * n + j];
    }
    printf("%d %a %a\n", it, err, all);
    u[n + 1] += 3;
#pragma stencil
    for (it = 0; it < most; it++) {
        double sum = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                int at = i * n + j;
                v[at] = 0.25 * (u[at - n] + u[at + n] + u[at - 1] + u[at + 1]);
                sum += (v[at] - u[at]) * (v[at] - u[at]);
            }
        double l2 = sqrt(sum);
        double rel = l2 / n;
        if (it % 4 == 1)
            printf("%d %a %a\n", it, l2, rel);
        if (rel < tol / 100) {
            printf("near %a\n", rel);
            break;
        }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i * n + j] = v[i * n + j];
    }
    u[n + 1] += 3;
    printf("%d %d\n", it, solve(n, u, v, most, tol, &last));
    printf("%a\n", last);
    show_double("u", u, (size_t)n * n);
    show_double("v", v, (size_t)n * n);
    return 0;
}
