// The host looks at structures that pointers lead to in turn, and changes real numbers that steps read from them.
// args: 33 19 ; 12 30 ; 3 9
// fallback: allowed
// form: loops that the host keeps: if (t == 7) now->dx = next->dx = 0.2;
#include "dump.h"

typedef struct { int n; double *u, dx; } state;

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 33), steps = argument(argc, argv, 2, 19);
    state one = { n, new_double((size_t)n, 1), 0.1 }, other = { n, new_double((size_t)n, 2), 0.1 };
    state *now = &one, *next = &other;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < now->n - 1; i++)
            next->u[i] = 0.5 * now->u[i] - now->dx * (now->u[i - 1] - now->u[i + 1]);
        state *old = now;
        now = next;
        next = old;
        if (t % 4 == 3) printf("%d %a\n", t, now->u[n / 2]);
        if (t == 7) now->dx = next->dx = 0.2;
        if (t == 13) next->dx = 0.3;
        if (t == 16) now->dx = 0.3;
    }
    show_double("one", one.u, (size_t)n);
    show_double("other", other.u, (size_t)n);
    return 0;
}
