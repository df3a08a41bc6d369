// The host stores rows, columns, boxes and elements between steps, in both buffers and in an array that is only read: each goes to
// the device alone, where all else stays. What it stores elsewhere is none of the device's business.
// args: 12 9 40 ; 9 14 61 ; 7 7 1 ; 16 11 100
// form: loops that the host keeps: for (int j = 0; j < m; j++) u[j] = drand48();
// form: loops that the host keeps: for (int i = 1; i < n; i++) v[i * m] += drand48();
// form: loops that the host keeps: memset(u + (n - 1) * m, 0, m * sizeof *u);
// form: loops that the host keeps: history[t] = u[3 * m + 2];
#include "dump.h"
#include <string.h>

double drand48(void);

static void disturb(int n, int m, double *box)
{
    for (int i = 2; i < n - 2; i++)
        for (int j = 1; j < m - 2; j++)
            if ((i + j) % 3 == 0)
                box[i * m + j] = drand48();
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 12), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 40);
    double *u = new_double((size_t)n * m, 1), *v = new_double((size_t)n * m, 2), *tmp;
    double *c = new_double((size_t)n * m, 3), *table = new_double(m, 4), *history = new_double(steps, 5);
    double sum = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i * m + j] = 0.25 * c[i * m + j] *
                               (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
        tmp = u;
        u = v;
        v = tmp;
        history[t] = u[3 * m + 2];
        if (t % 5 == 0)
            for (int j = 0; j < m; j++)
                u[j] = drand48();
        if (t % 7 == 2)
            for (int i = 1; i < n; i++)
                v[i * m] += drand48();
        if (t % 11 == 3) {
            memcpy(&c[2 * m], table, m * sizeof *c);
            printf("%.17g\n", drand48());
        }
        if (t % 13 == 5)
            disturb(n, m, u);
        if (t % 17 == 6) {
            sum += drand48();
            memset(u + (n - 1) * m, 0, m * sizeof *u);
        }
        if (t % 6 == 4)
            u[3 * m + 4] += drand48();
        if (t % 9 == 4)
            for (int j = 1; j < m; j += 2)
                sum += u[3 * m + j] * c[2 * m + j];
        if (t % 19 == 7)
            for (int i = 0; i < n; i++)
                sum += v[i * m + 1];
        if (sum > 1e300)
            break;
    }
    printf("%.17g\n", sum);
    show_double("u", u, (size_t)n * m);
    show_double("v", v, (size_t)n * m);
    show_double("c", c, (size_t)n * m);
    show_double("history", history, (size_t)steps);
    return 0;
}
