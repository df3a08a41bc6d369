// Functions of other files use variables that these share and that the file of the nest does not declare.
// args: 12 7 ; 5 1 ; 9 40
// with: with/pool.c with/pool_step.c
// form: calls: spread();
#include "dump.h"

void open_pool(int n), spread(void), feed(int step), turn(void), show_pool(void);

static void simulate(int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        spread();
        feed(t);
        turn();
    }
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 2, 7);
    open_pool(argument(argc, argv, 1, 12));
    simulate(steps);
    show_pool();
#pragma stencil
    for (int t = 0; t < steps; t++) {
        spread();
        turn();
        if (t % 7 == 6)
            show_pool();
    }
    show_pool();
    return 0;
}
