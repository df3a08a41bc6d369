// Nothing tells that the two buffers differ: now and then the second number is the first one.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), steps = atoi(argv[argc - 1]), now = 0, next = 1;
    double *u[2] = { calloc(n, sizeof(double)), calloc(n, sizeof(double)) };
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            u[next][i] = u[now][i] + 0.25 * (u[now][i - 1] - 2 * u[now][i] + u[now][i + 1]);
        printf("%d %a\n", t, u[next][n / 2]);
        now = next;
        if (t % 8 != 7)
            next = 1 - now;
    }
    return 0;
}
// remedy: s/        if (t % 8 != 7)\n            next/        next/
