/* Arrays that overlap are left to the original loops. */
#include <stdio.h>

static double memory[50];

static void smooth(const double *from, double *to, int n)
{
    for (int i = 1; i < n - 1; i++)
        to[i] = 0.5 * (from[i - 1] + from[i + 1]);
}

int main(void)
{
    smooth(memory, memory + 5, 40);
    printf("%g\n", memory[20]);
    return 0;
}
