// Two files each have a `static` scalar of the same name, which a sweep of theirs changes in each step.
// form: calls: fade(n, u, v);
// args: 12 7 ; 9 1 ; 2 3 ; 5 0
// with: with/growing.c with/fading.c
#include "dump.h"
#include "with/two_factors.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 12), steps = argument(argc, argv, 2, 7);
    double *u = new_double(n, 1), *v = new_double(n, 2);
    begin_to_fade(0.875);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        grow(n, u, v);
        fade(n, u, v);
    }
    show_double("u", u, n);
    show_double("v", v, n);
    printf("%a %a\n", grown(), faded());
    return 0;
}
