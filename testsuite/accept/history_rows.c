// A history of two rows a step, declared: borders that each row has of its own, and no rows but those of the steps change.
// args: 0 ; 1 ; 2 ; 3 ; 7 ; 40
#include "dump.h"

static double h[42][53];

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5), t;
    fill_double(&h[0][0], 42 * 53, 1);
#pragma stencil
    for (t = 0; t < steps; t++)
        for (int i = 1; i < 52; i++)
            h[t + 1][i] = 0.25 * h[t][i - 1] + 0.5 * h[t][i] + 0.25 * h[t][i + 1];
    show_double("h", &h[0][0], 42 * 53);
    printf("%d\n", t);
    return 0;
}
