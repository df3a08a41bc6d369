// The nest stands inside another loop that changes its arrays, its bounds and its scalars.
// args: 17 5 ; 20 2
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    for (int round = 0; round < 4; round++) {
        double c = 0.1 + 0.1 * round;
#pragma stencil
        for (int t = 0; t < steps + round; t++) {
            for (int i = 1; i < n - 1 - round; i++)
                b[i] = a[i] + c * (a[i - 1] - 2 * a[i] + a[i + 1]);
            for (int i = 1; i < n - 1 - round; i++)
                a[i] = b[i];
        }
        a[0] += b[n / 2];
        show_double("a", a, n);
    }
    show_double("b", b, n);
    return 0;
}
