// Buffers chosen by the remainder of a time loop's variable that starts anywhere.
#include <stdio.h>
#define SIZE 24
static double u[2][SIZE], v[3][SIZE];
static void show(void){ for (int k=0;k<2;k++){for (int i = 0; i < SIZE; i++) printf(" %g", u[k][i]);printf("\n");} for (int k=0;k<3;k++){for (int i = 0; i < SIZE; i++) printf(" %g", v[k][i]);printf("\n");}}
static void f(int start, int steps)
{
    for (int i = 0; i < SIZE; i++) u[0][i] = i, u[1][i] = 2 * i, v[0][i] = 3*i, v[1][i] = 4*i,v[2][i]=5*i;
#pragma stencil
    for (int t = steps; t > 0; t--)
        for (int i = 1; i < SIZE - 1; i++)
            u[(t + 1) % 2][i] = u[t % 2][i - 1] + 1;
#pragma stencil
    for (int t = steps; t >= 1; t--)
        for (int i = 1; i < SIZE - 1; i++)
            u[(t - 1) % 2][i] = u[t % 2][i - 1] + 1;
#pragma stencil
    for (int t = start; t < steps; t++)
        for (int i = 1; i < SIZE - 1; i++)
            u[1 - t % 2][i] = u[t & 1][i - 1] + 1;
#pragma stencil
    for (int t = start; t < steps; t++)
        for (int i = 1; i < SIZE - 1; i++)
            u[(3 * t + 1) % 2][i] = u[(long)t % 2][i - 1] + u[-(-t) % 2][i + 1];
#pragma stencil
    for (int t = start; t < steps; t++)
        for (int i = 1; i < SIZE - 1; i++)
            v[(t + 2) % 3][i] = v[t % 3][i - 1] + v[(t + 1) % 3][i + 1];
#pragma stencil
    for (int t = steps; t > start; t--)
        for (int i = 1; i < SIZE - 1; i++)
            v[(t + 2) % 3][i] = v[t % 3][i - 1] + v[(t + 1) % 3][i + 1];
    show();
}
int main(void) { f(0, 7); f(1, 7); f(2, 8); f(5, 9); f(3,3); return 0; }
