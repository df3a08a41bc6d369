// What functions fold over points is used at once, in values, elements, arguments and conditions, without being kept in a variable.
// args: 40 33 ; 9 1 ; 64 0 ; 33 50
// form: loops that the host keeps: double dt = 0.4 / fastest(n, u);
// form: loops that the host keeps: energies[t] = 0.5 * energy(n, u, v);
// form: loops that the host keeps: if (energy(n, u, v) < 1e-3)
// form: loops that the host keeps: } while (fastest(n, u) > 0.5 && k < steps);
#include <math.h>
#include "dump.h"

static double fastest(int n, const double *u)
{
    double most = 0.1;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(u[i]));
    return most;
}

static double energy(int n, const double *u, const double *v)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (u[i] - v[i]) * (u[i] - v[i]);
    return sum / n;
}

static void advance(int n, double *u, double *v, double dt)
{
    for (int i = 1; i < n - 1; i++)
        v[i] = u[i] - dt * u[i] * (u[i] - u[i - 1]);
    for (int i = 1; i < n - 1; i++)
        u[i] = 0.5 * (v[i] + u[i]);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), steps = argument(argc, argv, 2, 33), k = 0;
    double *u = new_double(n, 1), *v = new_double(n, 2), time = 0, energies[64] = { 0 };

#pragma stencil
    for (int t = 0; t < steps; t++) {
        double dt = 0.4 / fastest(n, u);
        advance(n, u, v, dt);
        time += dt;
        if (t % 10 == 3)
            printf("%d %a\n", t, time);
    }
    show_double("u", u, n); show_double("v", v, n);

#pragma stencil
    for (int t = 0; t < steps; t++) {
        advance(n, u, v, 0.1);
        energies[t] = 0.5 * energy(n, u, v);
        if (t % 10 == 3)
            printf("%d\n", t);
    }
    show_double("energies", energies, 64);

#pragma stencil
    for (int t = 0; t < steps; t++) {
        advance(n, u, v, 0.2);
        if (energy(n, u, v) < 1e-3) {
            printf("%d\n", t);
            break;
        }
    }

#pragma stencil
    do {
        advance(n, u, v, 0.05);
        k++;
    } while (fastest(n, u) > 0.5 && k < steps);
    printf("%d\n", k);
    show_double("u", u, n); show_double("v", v, n);
    free(u); free(v);
    return 0;
}
