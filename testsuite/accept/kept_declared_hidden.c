// A sum that the loop declares and that hides a variable of the file, which the host looks at before the step and behind the loop.
// args: 60 40 25 ; 33 20 9
#include <math.h>
#include "dump.h"
double sum = 7;
static double peek(void) { return sum; }
int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 60), m = argument(argc, argv, 2, 70), steps = argument(argc, argv, 3, 40);
    double *u = new_double((size_t)n * m, 1), *v = new_double((size_t)n * m, 2);
    printf("%a\n", sum);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        if (t % 5 == 2) printf("before %a\n", sum);
        double sum = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                v[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
                sum += v[i * m + j];
            }
        double *tmp = u; u = v; v = tmp;
        if (t % 4 == 3) continue;
        if (t % 6 == 1 && sum > 0) printf("%d %a %a\n", t, sum, peek());
    }
    printf("%a\n", sum);
    show_double("u", u, (size_t)n * m);
    return 0;
}
