// Host code without braces of its own, in a branch, and a nest that follows the loop.
// args: 15 6 1 ; 15 6 0 ; 40 50 1
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 15), steps = argument(argc, argv, 2, 6), chosen = argument(argc, argv, 3, 1);
    float *a = new_float((size_t)n, 1), *b = new_float((size_t)n, 2);
    int last = 0;
    if (chosen)
#pragma stencil name(branch)
        for (int t = steps; t > 0; t -= 2) {
            for (int i = 1; i < n - 1; i++)
                b[i] = (a[i - 1] + a[i + 1] + (float)t) / 3;
            for (int i = 1; i < n - 1; i++)
                a[i] = b[i] * 0.5f;
            if (t % 4 == 2)
                for (int i = 0; i < n; i += 7)
                    printf("%a\n", (double)a[i]);
            else
                last = t;
        }
    else
        last = -1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i + 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i] * 0.25f;
    }
    printf("%d\n", last);
    show_float("a", a, (size_t)n);
    show_float("b", b, (size_t)n);
    return 0;
}
