// The host says with which number a sum of each step begins, and what the step makes of it is needed behind the loop alone.
// remedy: s/t, sum);/t, sum);\n        sum = 3;/
#include <stdio.h>

#define N 50

static double u[N], v[N];

int main(void)
{
    double last = 0;
    for (int i = 0; i < N; i++)
        u[i] = i * 0.37;
#pragma stencil
    for (int t = 0; t < 7; t++) {
        double sum = 3;
        printf("step %d begins with %g\n", t, sum);
        for (int i = 1; i < N - 1; i++) {
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
            sum += u[i];
        }
        for (int i = 1; i < N - 1; i++)
            u[i] = v[i];
        last = sum;
    }
    printf("%a\n", last);
    return 0;
}
