// A step function of another file prints and looks at the clock: what it does stands in the place of its call, behind what that file
// declares and this one does not.
// args: 19 23 7 ; 6 4 5 ; 5 9 0
// with: with/march.c
// form: loops that the host keeps: march(&mesh, u, v, t);
// form: loops that the host keeps: sum += relax(m, u, v);
#include "dump.h"
#include "with/march.h"

static float relaxed(int m, float *u, float *v, int steps)
{
    float sum = 0;
#pragma stencil
    for (int t = 0; t < steps; t++)
        sum += relax(m, u, v);
    return sum;
}

int main(int argc, char **argv)
{
    Mesh mesh = { argument(argc, argv, 1, 33), argument(argc, argv, 2, 21), 0, 0.5f, 0 };
    int steps = argument(argc, argv, 3, 5), size = mesh.n * mesh.m;
    float *u = new_float(size, 1), *v = new_float(size, 2);
#pragma stencil
    for (int t = 0; t < steps; t++)
        march(&mesh, u, v, t);
    show_float("u", u, size);
    printf("%d %d\n", mesh.calls, mesh.ticks >= 0);
    printf("%a\n", relaxed(mesh.m, u, v, steps));
    show_float("u", u, size);
    show_float("v", v, size);
    return 0;
}
