// A step that needs what a function has made of the step before it.
// form: loops that the host keeps: total = sum_of(n, b);
// args: 20 10 ; 7 1 ; 33 0 ; 50 23
#include <stdio.h>
#include <stdlib.h>

static double sum_of(int n, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += b[i];
    return sum;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 20, steps = argc > 2 ? atoi(argv[2]) : 10;
    double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double));
    for (int i = 0; i < n; i++) {
        a[i] = 0.01 * i;
        b[i] = 0.02 * i;
    }
    double total = 1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            b[i] = a[i] + 0.001 * total;
        for (int i = 1; i < n - 1; i++)
            a[i] = 0.5 * (b[i - 1] + b[i + 1]);
        total = 0;
        total = sum_of(n, b);
        if (t % 4 == 0)
            printf("step %d\n", t);
    }
    printf("%a\n", total);
    for (int i = 0; i < n; i++)
        printf("%a %a\n", a[i], b[i]);
    free(a);
    free(b);
    return 0;
}
