// The function that a loop of the host calls for its sweeps has work space that is static, and nobody else calls it.
// args: 30 12 ; 17 31
// form: loops that the host keeps: static float flux[MOST], half[MOST];
#include "dump.h"

#define MOST 64

static float advance(int n, float *u)
{
    static float flux[MOST], half[MOST];
    float most = 0;
    for (int i = 0; i < n - 1; i++) {
        flux[i] = 0.25f * (u[i + 1] - u[i]);
        half[i] = 0.5f * flux[i];
    }
    for (int i = 1; i < n - 1; i++)
        u[i] += flux[i] - flux[i - 1] + half[i];
    for (int i = 1; i < n - 1; i++)
        most = u[i] > most ? u[i] : most;
    return most;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 30), steps = argument(argc, argv, 2, 12);
    float *u = new_float(n, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        float most = advance(n, u);
        if (t % 4 == 3)
            printf("%d %a %a\n", t, most, u[n / 2]);
    }
    show_float("u", u, n);
    return 0;
}
