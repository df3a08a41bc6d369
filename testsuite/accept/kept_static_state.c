// Functions of a step keep numbers of their own from call to call, which are the host's: how often they ran, what they said last.
// args: 40 33 ; 9 1 ; 64 0 ; 33 50
// form: loops that the host keeps: static int calls;
// form: loops that the host keeps: static double last = 1, by = 0.5;
#include <math.h>
#include "dump.h"

static void smooth(int n, double *u, double *v)
{
    static int calls;
    for (int i = 1; i < n - 1; i++)
        v[i] = 0.5 * (u[i - 1] + u[i + 1]);
    for (int i = 1; i < n - 1; i++)
        u[i] = v[i];
    if (++calls % 10 == 0)
        printf("%d calls\n", calls);
}

static double relax(int n, double *u, double *v)
{
    static double last = 1, by = 0.5;
    double most = 0;
    for (int i = 1; i < n - 1; i++) {
        v[i] = u[i] + by * (u[i - 1] - 2 * u[i] + u[i + 1]);
        most = fmax(most, fabs(v[i] - u[i]));
    }
    for (int i = 1; i < n - 1; i++)
        u[i] = v[i];
    if (most > last) {
        by *= 0.9;
        printf("%a\n", by);
    }
    last = most;
    return most;
}

static int run(int n, double *u, double *v, int steps)
{
    int calls = 0;
    double most = 1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        smooth(n, u, v);
        calls += 2;
    }
#pragma stencil
    while (calls > steps && most > 1e-4) {
        most = relax(n, u, v);
        calls--;
    }
    return calls;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), steps = argument(argc, argv, 2, 33);
    double *u = new_double(n, 1), *v = new_double(n, 2);
    printf("%d\n", run(n, u, v, steps));
    printf("%d\n", run(n, v, u, steps + 5));
    show_double("u", u, n); show_double("v", v, n);
    free(u); free(v);
    return 0;
}
