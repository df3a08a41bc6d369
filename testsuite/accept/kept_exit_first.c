// The host ends the program before the device has launched anything, or when it has launched a little.
// args: 29 2 ; 29 0 ; 400 33 ; 400 70 ; 9 5
#include "dump.h"

static double *u;
static int n, top;

static void report(void)
{
    printf("%d\n", top);
    show_double("u", u, (size_t)n);
}

int main(int argc, char **argv)
{
    n = argument(argc, argv, 1, 29);
    int last = argument(argc, argv, 2, 2);
    u = new_double((size_t)n, 1);
    atexit(report);
#pragma stencil
    for (int t = 0; t < 100; t++) {
        for (int i = 2; i < n - 2; i++)
            u[i] = 0.5 * u[i] + 1;
        top++;
        if (t % 4 == 3)
            printf("step %d\n", t);
        if (t == last)
            exit(0);
    }
    return 0;
}
