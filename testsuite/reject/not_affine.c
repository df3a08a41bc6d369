// Subscripts, bounds and remainders that are no affine numbers.
#include <math.h>
#include <stdlib.h>

void function_value(int n, double *a, const double *b)
{
#pragma stencil
    for (int t = 0; t < n; t++)
        for (int i = 0; i < 8; i++)
            a[i] = b[abs(i * i - 4)];
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

void element_of_an_array(int n, double a[8][8], double b[8][8], const int *place)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        int k = place[i] + 1;
        a[i][0] = b[k][0];
    }
}

void chosen_column(int n, double a[8][8], double b[8][8])
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i][b[i][1] > 0 ? i : 0] = b[i][0];
}

void bits_of_a_column(int n, double a[8][8], double b[8][8])
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i][i ^ 2] = b[i][~i + 9];
}

void complement_of_a_column(int n, double a[8][8], double b[8][8])
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i][~i + 8] = b[i][0];
}

void column_by_a_negative(int n, double a[8][8], double b[8][8])
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i][i / -2 + 7] = b[i][0];
}

void column_of_a_number(int n, double a[8][8], double b[8][8])
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i][(int)(i * 0.5)] = b[i][0];
}

void column_wraps_around(int n, unsigned m, double a[8][8], double b[8][8])
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i][i * (unsigned)i] = b[i][0];
}

void narrowed_product(int n, double a[8][8], double b[8][8])
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i][(unsigned char)(i * i)] = b[i][0];
}

void bound_of_a_function(int n, double a[8][8], double b[8][8])
{
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int j = 0; j < abs(-i + n * n) + (i > n * n ? -(i * n * n) : 0); j++)
            a[i][j] = b[i][j];
}

void bound_of_a_quotient(int n, double a[8][8], double b[8][8])
{
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int j = 0; j + 8u / (unsigned)(i + 1) < 7u; j++)
            a[i][j] = b[i][j];
}

void bound_beyond_all_numbers(int n, double a[8][8], double b[8][8])
{
#pragma stencil
    for (int i = 0; i < n; i++)
        for (unsigned long j = 0; j < (i > 1 ? 3 : ~0ul); j++)
            a[i][j] = b[i][j];
}

void power_of_two(int n, double a[8][8], double b[8][8])
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i][1 << i] = b[i][0];
}

// remedy: s/i * i - 4/i - 4/
// remedy: s/i > 4 ? n : i * i/i > 4 ? i + n : i/
// remedy: s|a[i / m] = b[i]|a[i] = b[m * i]|
// remedy: s|i / -2|-i|
// remedy: s/i++)\n        a[i ^ 1] = b[i];/i += 2) {\n        a[i + 1] = b[i];\n        a[i] = b[i + 1];\n    }/
// remedy: s/i & 5/i + 5/
// remedy: s/~i + n/n - i - 1/
// remedy: s/i * j/i/
// remedy: s/j < i * i; j++)\n            a[i][j] = b[i][j];/j < 8; j++) {\n            double value = b[i][j];\n            if (j < i * i)\n                a[i][j] = value;\n        }/
// remedy: s/int j = -4; j < n/int j = 0; j < 3/
// remedy: s/const int *place)/const int *place, double *c)/
// remedy: s/#pragma stencil\n/    for (int i = 0; i < n; i++)\n        c[i] = b[place[i] + 1][0];\n#pragma stencil\n/
// remedy: s/        int k = place[i] + 1;\n//
// remedy: s/b[k][0]/c[i]/
// remedy: s/a[i][b[i][1] > 0 ? i : 0] = b[i][0];/{\n        double value = b[i][0];\n        if (b[i][1] > 0)\n            a[i][i] = value;\n        else\n            a[i][0] = value;\n    }/
// remedy: s/i ^ 2/i/
// remedy: s/~i + 9/7 - i/
// remedy: s/~i + 8/7 - i/
// remedy: s|i / -2 + 7|7 - i / 2|
// remedy: s|(int)(i * 0.5)|i / 2|
// remedy: s/i * (unsigned)i/i/
// remedy: s/(unsigned char)(i * i)/i/
// remedy: s/j < abs(-i + n * n) + (i > n * n ? -(i * n * n) : 0); j++)\n            a[i][j] = b[i][j];/j < 8; j++) {\n            double value = b[i][j];\n            if (j < abs(-i + n * n))\n                a[i][j] = value;\n        }/
// remedy: s|j + 8u / (unsigned)(i + 1) < 7u; j++)\n            a[i][j] = b[i][j];|j < 7; j++) {\n            double value = b[i][j];\n            if (j + 8u / (unsigned)(i + 1) < 7u)\n                a[i][j] = value;\n        }|
// remedy: s/unsigned long j = 0; j < (i > 1 ? 3 : ~0ul)/int j = 0; j < 3/
// remedy: s/1 << i/i/
