// Time loops over floating-point variables.
// args: 17 9 ; 9 30 ; 12 1
#include "dump.h"
#include <math.h>
int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 9), k = 0;
    double *a = new_double(n, 1), *b = new_double(n, 2), t, tend = 0.1 * steps, dt = 0.1, time = 0.3, w = 2.5;
    float s = 0.25f;
#pragma stencil
    for (t = 0; t < tend; t += dt) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]) + t;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i] + sin(w * t);
    }
    printf("%.17g\n", t);
#pragma stencil
    while (time < tend) {
        double now = exp(-time);
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]) + now;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        k++;
        time += dt * now;
    }
    printf("%.17g %d\n", time, k);
#pragma stencil
    for (float x = s; x > 0.01f * steps; x = x * 0.9f) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]) + x;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    show_double("a", a, n);
    show_double("b", b, n);
#pragma stencil
    for (double x = 0, y = 1; x <= tend && y > 0.5; x += dt, y *= 0.95) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]) + y;
        double *tmp = a; a = b; b = tmp;
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
