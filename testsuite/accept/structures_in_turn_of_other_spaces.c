// Real numbers of structures to which pointers lead in turn differ, if only by the sign of zero: the original loops run.
// args: 0.5 0.25 9 ; 0 -0 9 ; -0 0 4 ; nan nan 3
// fallback: expected
#include "dump.h"
#include <math.h>

struct line { double *u, x; };

int main(int argc, char **argv)
{
    int n = 33, steps = argument(argc, argv, 3, 9);
    struct line lines[2] = { { new_double((size_t)n, 1), 0.5 }, { new_double((size_t)n, 2), 0.25 } };
    for (int k = 0; k < 2 && k + 1 < argc; k++)
        lines[k].x = atof(argv[k + 1]);
    struct line *a = &lines[0], *b = &lines[1];
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b->u[i] = copysign(a->u[i - 1], a->x) + a->u[i + 1] * a->x;
        struct line *old = a;
        a = b;
        b = old;
    }
    for (int i = 0; i < n; i++)
        printf("%a %a\n", fabs(lines[0].u[i]), fabs(lines[1].u[i]));
    return a == b;
}
