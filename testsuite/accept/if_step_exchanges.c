// Even steps go from one array to the other, odd steps back; a counter is added up every third step.
// form: loops: if (t % 2 == 1) { for (int i = 1; i < n - 1; i++)
// args: 37 5 ; 20 4 ; 21 1
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    float *a = new_float(n, 1), *b = new_float(n, 2), *c = new_float(n, 3);
#pragma stencil
    for (int t = 1; t <= steps; t++) {
        if (t % 2 == 1) {
            for (int i = 1; i < n - 1; i++)
                b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        } else {
            for (int i = 1; i < n - 1; i++)
                a[i] = 0.25f * (b[i - 1] + b[i + 1]) + 0.5f * b[i];
        }
        if (t % 3 == 0)
            for (int i = 0; i < n; i++)
                c[i] += b[i];
    }
    show_float("a", a, n);
    show_float("b", b, n);
    show_float("c", c, n);
    return 0;
}
