// Structures to which pointers lead in turn have other sizes: the original loops run.
// args: 33 9 ; 12 4
// fallback: expected
#include "dump.h"

struct line { int n; double *u; };

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 33), steps = argument(argc, argv, 2, 9);
    struct line lines[2] = { { n, new_double((size_t)n, 1) }, { n - 3, new_double((size_t)n, 2) } };
    struct line *a = &lines[0], *b = &lines[1];
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < a->n - 1; i++)
            b->u[i] = 0.5 * (a->u[i - 1] + a->u[i + 1]);
        struct line *old = a;
        a = b;
        b = old;
    }
    show_double("first", lines[0].u, (size_t)n);
    show_double("second", lines[1].u, (size_t)n);
    return a == b;
}
