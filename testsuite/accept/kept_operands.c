// Conditions of the host's that look at arrays and at what steps fold in one step of several only; sums that the loop declares.
// args: 60 70 40 ; 33 50 25 ; 20 9 0
// form: sums, maxima and counts over points: double sum = 0, top = 0;
// form: loops that the host keeps: if (t % 10 == 9 && !write_plane(u, n * m))
#include <math.h>
#include "dump.h"

static int is_hot(const double *u, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        most = u[i] > most ? u[i] : most;
    return most > 0.5;
}

static int write_plane(const double *u, int count)
{
    return fwrite(u, sizeof(double), (size_t)count, stdout) == (size_t)count;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 60), m = argument(argc, argv, 2, 70), steps = argument(argc, argv, 3, 40), found = 0;
    double *u = new_double((size_t)n * m, 1), *v = new_double((size_t)n * m, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double sum = 0, top = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                v[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
                sum += v[i * m + j];
                top = fmax(top, fabs(v[i * m + j] - u[i * m + j]));
            }
        double *tmp = u;
        u = v;
        v = tmp;
        if (t % 10 == 9 && !write_plane(u, n * m))
            return 1;
        if (t % 7 == 2 && sum > 1e300)
            break;
        found += t % 6 == 5 && u[m + 1] > 0.25;
        if (t == 11 || (t % 13 == 1 && top < 0.01)) {
            printf("%d: %a\n", t, top);
            if (t == 11)
                printf("%a\n", sum);
        }
        if (t % 9 == 8 ? is_hot(u, n * m) : t == 5)
            found++;
    }
    printf("%d\n", found);
    show_double("u", u, (size_t)n * m);
    show_double("v", v, (size_t)n * m);
    return 0;
}
