/* The original prints another name than the rewritten program. */
#include <stdio.h>

static double a[40], b[40];

int main(int argc, char **argv)
{
    for (int i = 1; i < 39; i++)
        b[i] = a[i - 1] + a[i + 1];
    printf("%d argument: %s\n%g\n", argc, argv[0], b[20]);
    return 0;
}
