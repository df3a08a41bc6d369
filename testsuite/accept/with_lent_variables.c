// Functions of another file use its `static` variables, which the copy of that file lends to the nests.
// args: 12 7 ; 9 1 ; 33 40
// with: with/lender.c
// notes: lender.ocl.c lends them
// form: calls: feed(t);
#include "dump.h"
#include "with/lender.h"

/* One of its name, and another one. */
static int first = 1, fed = 100;

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 2, 7);
    open_lender(argument(argc, argv, 1, 12));
#pragma stencil
    for (int t = 0; t < steps; t++)
        feed(t);
    show_lender();
#pragma stencil
    for (int t = 0; t < steps; t++) {
        feed(t + first);
        if (t % 5 == 3)
            tune(t);
        if (t % 7 == 6)
            show_lender();
    }
    show_lender();
    printf("%d %d\n", first, fed);
    return 0;
}
