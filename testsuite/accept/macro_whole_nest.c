// The macro is the nest.
// form: loops: HEAT(a, b, n, steps)
// args: 17 5 ; 21 3
#include "dump.h"

#define HEAT(a, b, n, steps)                                                  \
    for (int t = 0; t < (steps); t++) {                                       \
        for (int i = 1; i < (n) - 1; i++)                                     \
            (b)[i] = 0.25 * (a)[i - 1] + 0.5 * (a)[i] + 0.25 * (a)[i + 1];    \
        for (int i = 1; i < (n) - 1; i++)                                     \
            (a)[i] = (b)[i];                                                  \
    }

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    HEAT(a, b, n, steps)
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
