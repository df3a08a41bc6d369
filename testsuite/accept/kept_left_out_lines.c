// Lines that the preprocessor leaves out stand behind a step whose last line has a macro.
// args: 30 12 ; 3 2 ; 17 0
#include "dump.h"

#define REAL double

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 5);
    REAL one[n], two[n], *a = one, *b = two;
    for (int i = 0; i < n; i++) {
        one[i] = i % 5;
        two[i] = i % 7;
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * a[i - 1] + 0.25 * a[i + 1];
        REAL *old = a; a = b; b = old;
#ifdef TRACE
        if (t % 4 == 1)
            printf("%d %a\n", t, a[n / 2]);
        if (t == TRACE)
            n = 2;
#endif
#ifndef TRACE
        if (t == 11)
            break;
#endif
    }
    for (int i = 0; i < n; i++)
        printf("%a %a\n", a[i], b[i]);
    return 0;
}
