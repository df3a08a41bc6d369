// Loops run as long as a difference is not 0: in time, and over places in both directions.
// args: 19 17 ; 5 3 ; 4 0 ; 33 30
// form: loops: while (n - 1 - i)
#include "dump.h"

static int majority(int left, int middle, int right)
{
    if (left) {
        if (middle)
            return 1;
        else
            return right;
    } else {
        return middle && right;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), steps = argument(argc, argv, 2, 17), i, t = 0;
    int *now = malloc(sizeof *now * n), *next = malloc(sizeof *next * n);
    fill_int(now, n, 1);
    fill_int(next, n, 2);
#pragma stencil
    while (steps - t) {
        i = 1;
        while (n - 1 - i) {
            next[i] = majority(now[i - 1] > 0, now[i] > 0, now[i + 1] > 0) - (now[i] > now[i - 1]);
            i = i + 1;
        }
        for (i = n - 2; i - 0; i--)
            now[i] = next[i];
        t = t + 1;
    }
    show_int("now", now, n);
    show_int("next", next, n);
    printf("%d %d\n", i, t);
    free(now);
    free(next);
    return 0;
}
