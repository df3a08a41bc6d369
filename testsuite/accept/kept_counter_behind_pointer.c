// Loops whose heads count through a pointer, or by no constant, are the host's; their steps are the device's.
// args: 14 9 ; 6 1 ; 30 40
// form: loops that the host keeps: for (*k = 0; (*k < most && change > 1e-3); (*k)++)
// form: loops that the host keeps: for (k = 1; k < most; k = 2 * k + 1)
#include "dump.h"

static void relax(int n, int most, double *u, double *v, int *k)
{
    double change = 1, *other;
#pragma stencil
    for (*k = 0; (*k < most && change > 1e-3); (*k)++) {
        change = 0;
        for (int i = 1; i < n - 1; i++) {
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
            change += (v[i] - u[i]) * (v[i] - u[i]);
        }
        other = u;
        u = v;
        v = other;
    }
    printf("%d %a\n", *k, change);
}

static void smooth(int n, int most, double *u, double *v)
{
    int k;
#pragma stencil
    for (k = 1; k < most; k = 2 * k + 1) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.25 * (u[i - 1] + 2 * u[i] + u[i + 1]);
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i];
    }
    printf("%d\n", k);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 14), most = argument(argc, argv, 2, 9), k = 7;
    double *u = new_double((size_t)n, 1), *v = new_double((size_t)n, 2);
    relax(n, most, u, v, &k);
    smooth(n, most, u, v);
    show_double("u", u, (size_t)n);
    show_double("v", v, (size_t)n);
    return 0;
}
