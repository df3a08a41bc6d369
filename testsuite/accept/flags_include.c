// A header that only the command line includes, a standard given to the tool, spaced and joined flags.
// args: 17 5
// flags: -std=c99 -include include/forced.h -Iinclude -D FACTOR=0.25 -DSTART=1 -U START
#include "dump.h"

#ifdef START
#error START is to be undefined
#endif

int main(int argc, char **argv)
{
    length n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    element *a = new_double(n, 1), *b = new_double(n, 2);
#pragma stencil
    for (length t = 0; t < steps; t++) {
        for (length i = 1; i < n - 1; i++)
            b[i] = FACTOR * (a[i - 1] + a[i + 1]) + FORCED;
        for (length i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
