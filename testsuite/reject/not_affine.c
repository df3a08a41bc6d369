// Subscripts, bounds and remainders that are no affine numbers.
#include <math.h>
#include <stdlib.h>

void function_value(int n, double *a, const double *b)
{
#pragma stencil
    for (int t = 0; t < n; t++)
        for (int i = 0; i < 8; i++)
            a[i] = b[abs(i - 4)];
}

void choice(int n, double *a, double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i > 4 ? n : i * i] = b[i];
}

void divided_by_a_variable(int n, int m, double *a, double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i / m] = b[i];
}

void divided_by_a_negative(int n, double *a, double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i / -2] = b[i];
}

void exclusive_or(int n, double *a, double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i ^ 1] = b[i];
}

void other_bits(int n, double *a, double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i & 5] = b[i];
}

void complement(int n, double *a, double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[~i + n] = b[i];
}

void squares(int n, double a[8][8], double b[8][8])
{
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * j][j] = b[i][j];
}

void bound_squared(int n, double a[8][8], double b[8][8])
{
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i * i; j++)
            a[i][j] = b[i][j];
}

void negative_remainder(int n, double a[8][8], double b[8][8])
{
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int j = -4; j < n; j++)
            a[i][j % 3 + 2] = b[i][j + 4];
}

void negative_quotient(int n, int m, double a[8][8], double b[8][8])
{
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int j = (i - m) / 2; j < n; j++)
            a[i][j] = b[i][j];
}
