// Steps fold something that the host prints now and then, and use scalars that it changes in each step.
// args: 33 40 ; 12 7 ; 20 100
// form: loops that the host keeps: scale = 1 + w;
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 33), steps = argument(argc, argv, 2, 40);
    double *a = new_double((size_t)n * n, 1), *b = new_double((size_t)n * n, 2);
    double w = 0.1, most = 0, sum = 0, scale = 1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        w = 0.5 * w + 0.01 * (t % 7);
        scale = 1 + w;
        most = 0;
        sum = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                b[i * n + j] = w * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j]) + 0.3 * a[i * n + j - 1];
                most = b[i * n + j] * w > most ? b[i * n + j] * w : most;
                sum += scale * b[i * n + j];
            }
        double *swapped = a;
        a = b;
        b = swapped;
        if (t % 10 == 3)
            printf("step %d: %a %a\n", t, most, sum);
    }
    printf("%a %a %a\n", most, sum, w);
    show_double("a", a, (size_t)n * n);
    show_double("b", b, (size_t)n * n);
    return 0;
}
