// The host prints between steps, reads a row now and then, and changes an element once.
// args: 19 23 41 ; 8 9 3 ; 33 17 0
// form: loops that the host keeps: if (t % 8 == 0)
#include "dump.h"

static void print_row(const double *u, int m, int row, int t)
{
    char name[32];
    sprintf(name, "row after step %d", t);
    printf("%s:", name);
    for (int j = 0; j < m; j += 5)
        printf(" %.17g", u[row * m + j]);
    printf("\n");
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), m = argument(argc, argv, 2, 23), steps = argument(argc, argv, 3, 41);
    double *u = new_double((size_t)n * m, 1), *v = new_double((size_t)n * m, 2), *tmp;
    double dt = 0.125;
    int t;
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i * m + j] = u[i * m + j] + dt * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] - 3 * u[i * m + j + 1]);
        tmp = u;
        u = v;
        v = tmp;
        if (t % 8 == 0)
            print_row(u, m, n / 2, t);
        if (t == 21)
            u[m + 2] = v[m + 3];
        else if (t % 16 == 11) {
            dt *= 0.75;
            printf("%d: %g\n", t, dt);
        }
    }
    printf("%d\n", t);
    show_double("u", u, (size_t)n * m);
    show_double("v", v, (size_t)n * m);
    return 0;
}
