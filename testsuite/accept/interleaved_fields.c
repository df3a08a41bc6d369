// Real and imaginary parts that lie side by side in one array.
// form: subscripts: re[2 * i] = 0.5 * (im[2 * i - 2] + im[2 * i + 2]);
#include <stdio.h>

#define SIZE 24

static double z[2 * SIZE], rows[SIZE][2 * SIZE];

static void turn(double *re, double *im, double *old, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < SIZE; i++)
            old[i] = re[2 * i];
        for (int i = 1; i < SIZE - 1; i++)
            re[2 * i] = 0.5 * (im[2 * i - 2] + im[2 * i + 2]);
        for (int i = 1; i < SIZE - 1; i++)
            im[2 * i] = -0.25 * (old[i - 1] + old[i + 1]);
    }
}

static void copy(double (*re)[2 * SIZE], double (*im)[2 * SIZE])
{
#pragma stencil
    for (int i = 1; i < SIZE - 1; i++)
        for (int j = 1; j < SIZE - 1; j++)
            re[i][2 * j] = im[i - 1][2 * j] + im[i + 1][2 * j + 2];
}

int main(void)
{
    double old[SIZE];
    for (int i = 0; i < 2 * SIZE; i++)
        z[i] = i % 7 * 0.5;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < 2 * SIZE; j++)
            rows[i][j] = i * 100 + j;
    turn(z, z + 1, old, 7);
    copy(rows, (double (*)[2 * SIZE])(&rows[0][1]));
    for (int i = 0; i < 2 * SIZE; i++)
        printf("%g ", z[i]);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < 2 * SIZE; j++)
            printf("%g ", rows[i][j]);
    printf("\n");
    return 0;
}
