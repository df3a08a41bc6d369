// Functions without parameters that store single elements of globals between the steps: the host's, and nothing that is foreseen.
// args: 300 21 ; 7 4 ; 40 9
#include "dump.h"

static double *u, *v;
static int n;

static void close_ends(void)
{
    u[0] = u[1];
    *v = *u - 0.5;
}

static void sweep(double *to, const double *from)
{
    for (int i = 1; i < n - 1; i++)
        to[i] = 0.5 * from[i] + 0.25 * (from[i - 1] + from[i + 1]);
}

static void turn(void)
{
    double *held = u;
    u = v;
    v = held;
}

int main(int argc, char **argv)
{
    n = argument(argc, argv, 1, 300);
    int steps = argument(argc, argv, 2, 21);
    u = new_double((size_t)n, 1);
    v = new_double((size_t)n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        close_ends();
        sweep(v, u);
        if (t % 4 == 0)
            printf("%d\n", t);
        turn();
    }
    show_double("u", u, (size_t)n);
    show_double("v", v, (size_t)n);
    return 0;
}
