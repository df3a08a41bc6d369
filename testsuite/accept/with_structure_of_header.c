// A structure of a header with macros in it, which a function in another file of the program gets.
// form: calls: relax(s, u, v);
// with: with/settings.c
// args: 37 5 ; 20 4 ; 16 0
#include "with/../with/settings.h"
#include "dump.h"

static void run(settings *s, int steps, double *u, double *v)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        relax(s, u, v);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *u = new_double(n, 1), *v = new_double(n, 2);
    settings s = { stdout, true, n, NULL, 0.9 };
    run(&s, steps, u, v);
    s.is_damped = false;
    run(&s, steps, u, v);
    show_double("u", u, n);
    show_double("v", v, n);
    return 0;
}
