// A constant that `long double` rounds before `double` does may be another number than the nearest `double`.
#include <stdio.h>

#define N 30

double u[N], v[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        u[i] = i * i % 11;
#pragma stencil
    for (int i = 1; i < N - 1; i++)
        v[i] = u[i - 1] + (double)9007199254740993.00001L;
    printf("%g\n", v[N / 2]);
    return 0;
}
// remedy: s/9007199254740993.00001L/9007199254740993.00001/
