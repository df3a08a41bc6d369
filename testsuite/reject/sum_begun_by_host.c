// The host says with which number a sum of each step begins, and nothing but another sum of the step needs it.
// remedy: s/last = 0;\n        for/last = 0;\n        sum = 3;\n        for/
#include <stdio.h>

#define N 50

static double u[N], v[N];

int main(int argc, char **argv)
{
    int n = argc > 1 ? N / 2 : N;
    double last = 0;
    (void)argv;
    for (int i = 0; i < n; i++)
        u[i] = i * 0.37;
#pragma stencil
    for (int t = 0; t < 7; t++) {
        double sum = 3;
        printf("step %d begins with %g\n", t, sum);
        last = 0;
        for (int i = 1; i < n - 1; i++) {
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
            sum += u[i];
            last += sum;
        }
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i];
    }
    printf("%a\n", last);
    return 0;
}
