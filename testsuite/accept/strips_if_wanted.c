// Loops over strips whose size is a number only if the user wants strips: otherwise it need not be one that a loop can count by.
// form: loops: else for (ii = 1; ii < n - 1; ii += size) for (i = ii; i < MIN(ii + size, n - 1); i++) STEP
// args: 37 5 0 ; 20 4 3 ; 33 3 50 ; 16 0 1
#include "dump.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define STEP v[i] += 0.25 * (u[i - 1] + u[i + 1]);

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5), size = argument(argc, argv, 3, 0);
    int strips = size > 0, i, ii;
    double *u = new_double(n, 1), *v = new_double(n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        if (!strips) for (i = 1; i < n - 1; i++) STEP
        else for (ii = 1; ii < n - 1; ii += size) for (i = ii; i < MIN(ii + size, n - 1); i++) STEP
        for (i = 0; i < n; i++)
            u[i] = 0.5 * v[i];
    }
    show_double("u", u, n);
    show_double("v", v, n);
    return 0;
}
