/* A program that is rewritten. */
#include <stdio.h>

#define STEPS 1000
#define SIZE 40

static double a[SIZE], b[SIZE];

int main(void)
{
    for (int i = 0; i < SIZE; i++)
        a[i] = b[i] = i * i % 7;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < SIZE - 1; i++)
            b[i] = 0.25 * (a[i - 1] + 2 * a[i] + a[i + 1]);
        for (int i = 1; i < SIZE - 1; i++)
            a[i] = b[i];
    }
    printf("%d steps\n", STEPS);
    return 0;
}
