// Between the sweeps of a step the host makes numbers of what the first ones fold, in declarations, by conditions, one of another.
// args: 40 33 ; 9 1 ; 64 0 ; 33 50
// form: loops that the host keeps: double w = most > 0.1 ? 0.5 : 0.9;
// form: loops that the host keeps: if (sum < 2) w = 0.4; else w = 0.3;
// form: loops that the host keeps: float far = spread(n, u, v, &most);
#include "dump.h"
#include <math.h>

static double guess(int n, const double *u, double *v)
{
    double most = 0;
    for (int i = 1; i < n - 1; i++) {
        v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        double d = fabs(v[i] - u[i]);
        if (d > most)
            most = d;
    }
    return most;
}

static void mix(int n, double *u, const double *v, double w)
{
    for (int i = 1; i < n - 1; i++)
        u[i] = (1 - w) * u[i] + w * v[i];
}

static float spread(int n, const double *u, double *v, double *most)
{
    *most = 0;
    float far = 0;
    for (int i = 1; i < n - 1; i++) {
        v[i] = 0.25 * (u[i - 1] + 2 * u[i] + u[i + 1]);
        *most = fmax(*most, v[i]);
        far = fmaxf(far, (float)fabs(v[i] - u[i]));
    }
    return far;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), steps = argument(argc, argv, 2, 33);
    double *u = new_double(n, 1), *v = new_double(n, 2), most = 0, sum = 0, w = 0;

#pragma stencil
    for (int t = 0; t < steps; t++) {
        most = guess(n, u, v);
        double w = most > 0.1 ? 0.5 : 0.9;
        mix(n, u, v, w);
        if (t % 10 == 3)
            printf("%d %a %a\n", t, most, w);
    }
    show_double("u", u, n); show_double("v", v, n);

#pragma stencil
    for (int t = 0; t < steps; t++) {
        sum = 0;
        for (int i = 1; i < n - 1; i++) {
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
            sum += v[i] * v[i];
        }
        if (sum < 2) w = 0.4; else w = 0.3;
        double other = 1 - w;
        for (int i = 1; i < n - 1; i++)
            u[i] = w * u[i] + other * v[i];
        if (t % 10 == 3)
            printf("%d %a\n", t, w);
    }
    printf("%a %a\n", sum, w);

#pragma stencil
    for (int t = 0; t < steps; t++) {
        float far = spread(n, u, v, &most);
        if (far < 1e-4f)
            break;
        double by = 0.5 / (1 + far + most);
        for (int i = 1; i < n - 1; i++)
            u[i] += by * v[i];
    }
    show_double("u", u, n); show_double("v", v, n);
    printf("%a\n", most);
    free(u); free(v);
    return 0;
}
