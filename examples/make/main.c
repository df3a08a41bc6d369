/* Plucks a membrane and prints what is left of it after some steps.
 * Usage: wave [n [m [steps]]] */
#include "../support.h"
#include "wave.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 117, 1);
    int m = argument(argc, argv, 2, 95, 1);
    int steps = argument(argc, argv, 3, 13, 0);
    size_t points = (size_t)n * m;
    double *states[3], *speed2 = allocate(points, sizeof(double));

    for (int k = 0; k < 3; k++) {
        states[k] = allocate(points, sizeof(double));
        fill(states[k], 1, n, m, 81 + (unsigned)k / 2);
    }
    fill(speed2, 1, n, m, 84);
    for (size_t i = 0; i < points; i++)
        speed2[i] = 0.1 + speed2[i] / 8;

    double start = seconds();
    double *newest = wave_run(n, m, steps, states[0], states[1], states[2], speed2);
    report_time(start, points, steps);

    for (int k = 0; k < 3; k++) {
        printf("%s ", newest == states[k] ? "newest" : "other");
        report("state", states[k], points, sizeof(double));
        free(states[k]);
    }
    free(speed2);
    return 0;
}
