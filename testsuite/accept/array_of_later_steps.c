// Arrays that only some steps touch need not exist where the loop ends before them.
// args: 2 ; 3 ; 4 ; 7
#include "dump.h"

enum { N = 21 };

int main(int argc, char **argv)
{
    int n = N, steps = argument(argc, argv, 1, 3), i, t;
    double *a = new_double(N, 1), *b = new_double(N, 2);
    double *late = NULL, *odd = NULL, *kept = NULL, *never = NULL, *weight = NULL;
    if (steps > 3)
        late = new_double(N, 3);
    if (steps > 1)
        odd = new_double(N, 4);
    if (steps > 5)
        kept = new_double(N, 5);
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++) {
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
            if (t >= 3)
                b[i] += late[i - 1];
            if (t % 2 == 1)
                odd[i] = b[i];
            if (t == 5)
                kept[i] = a[i];
        }
        for (i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
#pragma stencil
    for (t = 0; t < 3; t++)
        for (i = 1; i < n - 1; i++) {
            a[i] += 1;
            if (t > 3)
                never[i] = a[i] + weight[i - 1];
        }
    show_double("a", a, N);
    show_double("b", b, N);
    if (late)
        show_double("late", late, N);
    if (odd)
        show_double("odd", odd, N);
    if (kept)
        show_double("kept", kept, N);
    free(a), free(b), free(late), free(odd), free(kept);
    return 0;
}
