// The time of a leapfrog step goes on between its sweeps, and a sweep behind that has a source that goes by it; the host keeps the loop.
// args: 30 7 ; 13 33 ; 40 1 ; 9 0
// form: loops that the host keeps: pulse(n, h, &time);
#include <math.h>
#include "dump.h"

static void pulse(int n, float *h, const float *time)
{
    for (int i = n / 2; i < n / 2 + 3; i++)
        h[i] += *time * *time;
}

static void knock(float *h, const float *time)
{
    h[3] += expf(-*time);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 30), steps = argument(argc, argv, 2, 5);
    float *e = new_float(n, 1), *h = new_float(n, 2), time = -0.5f, dt = 0.01f;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        time += 0.5 * dt;
        for (int i = 1; i < n; i++)
            e[i] += 0.4f * (h[i] - h[i - 1]);
        time += 0.5 * dt;
        for (int i = 0; i < n - 1; i++)
            h[i] += 0.4f * (e[i + 1] - e[i]);
        pulse(n, h, &time);
        printf("%.9g\n", e[2]);
    }
    show_float("e", e, n);
    show_float("h", h, n);
    printf("%.9g\n", time);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            e[i] += 0.4f * (h[i] - h[i - 1]);
        time += 0.5 * dt;
        for (int i = 0; i < n - 1; i++)
            h[i] += 0.4f * (e[i + 1] - e[i]);
        knock(h, &time);
        printf("%.9g\n", e[2]);
    }
    show_float("e", e, n);
    show_float("h", h, n);
    return 0;
}
