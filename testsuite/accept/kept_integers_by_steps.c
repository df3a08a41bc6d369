// Integers that a step of a loop that the host keeps changes by no closed form: they go into values and conditions of its sweeps,
// so that steps with other integers run at once, and the host prints some of them.
// args: 0 ; 7 ; 40 3
// form: loops that the host keeps: amount = amount * 3 % 17;
#include <stdio.h>
#include <stdlib.h>

#include "dump.h"

#define N 29

static double u[N][N], w[N][N];

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 11), start = argument(argc, argv, 2, 2), is_on = 0, amount = 5;
    unsigned char narrow = 250;
    long long wide = 1;
    fill_double(&u[0][0], N * N, 1);
    fill_double(&w[0][0], N * N, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        if (is_on) {
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < N - 1; j++)
                    w[i][j] = 0.5 * (u[i - 1][j] + u[i + 1][j]) + amount;
        } else {
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < N - 1; j++)
                    w[i][j] = 0.5 * (u[i][j - 1] + u[i][j + 1]) - narrow;
        }
        narrow += amount;
        if (t > start)
            is_on = !is_on;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                u[i][j] = 0.25 * w[i][j] + (i > amount ? wide / 7 : wide % 5) * 0x1p-8;
        amount = amount * 3 % 17;
        wide = wide * 3 % 1000003 + t;
        if (t % 4 == 1)
            printf("%d %d %d %lld\n", is_on, amount, narrow, wide);
    }
    printf("%d %d %d %lld\n", is_on, amount, narrow, wide);
    show_double("u", &u[0][0], N * N);
    show_double("w", &w[0][0], N * N);
    return 0;
}
