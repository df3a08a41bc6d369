// What the host prints between sweeps stands in an array that the printing function keeps for itself from call to call.
// args: 23 17 ; 5 3 ; 3 1
// form: loops that the host keeps: static int columns[64];
#include "dump.h"

static void show(const double *u, int n, int step)
{
    static int columns[64];
    static double seen[2][3];
    int count = 0;
    for (int i = 1; i < n && i < 64; i++) {
        columns[i] += (int)(u[i] * 100);
        count += columns[i] > 0;
    }
    seen[step % 2][step % 3] += u[n / 2];
    printf("step %d: %d, %d, %a\n", step, count, columns[n / 2], seen[0][1] + seen[1][2]);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 23), steps = argument(argc, argv, 2, 17);
    double *u = new_double(n, 1), *v = new_double(n, 2), *shown = new_double(n, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            shown[i] = u[i] + 0.25;
        if (t % 5 == 1)
            show(shown, n, t);
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] + 0.2 * (u[i - 1] - 2 * u[i] + u[i + 1]);
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i];
    }
    show_double("u", u, n);
    show_double("v", v, n);
    show_double("shown", shown, n);
    free(u);
    free(v);
    free(shown);
    return 0;
}
