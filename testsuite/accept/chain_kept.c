// A relaxation that the host ends, a loop over time in which it prints, and a nest: their arrays stay on the device between.
// args: 33 30 20 ; 20 3 1 ; 12 200 7 ; 12 0 5 ; 12 10 0 ; 2 5 5 ; 17 9 40
// notes: what this nest computes stays on the device for the next one
// form: loops that the host keeps: while (err > 1e-3 && it < most)
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 33), most = argument(argc, argv, 2, 30), steps = argument(argc, argv, 3, 20), it = 0;
    double *a = new_double((size_t)n * n, 1), *b = new_double((size_t)n * n, 2), *c = new_double((size_t)n * n, 3);
    double err = 1;
#pragma stencil
    while (err > 1e-3 && it < most) {
        err = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                double change, next = a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1];
                b[i * n + j] = 0.25 * next;
                change = b[i * n + j] < a[i * n + j] ? a[i * n + j] - b[i * n + j] : b[i * n + j] - a[i * n + j];
                err = change > err ? change : err;
            }
        double *swapped = a;
        a = b;
        b = swapped;
        it++;
    }
    printf("relaxed %d %a\n", it, err);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i * n + j] = 0.2 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j]) + c[i * n + j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i * n + j] = b[i * n + j];
        if (t % 10 == 3)
            printf("step %d\n", t);
    }
    printf("once more\n");
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            c[i * n + j] = a[i * n + j] - b[i * n + j - 1];
    show_double("a", a, (size_t)n * n);
    show_double("b", b, (size_t)n * n);
    show_double("c", c, (size_t)n * n);
    return 0;
}
