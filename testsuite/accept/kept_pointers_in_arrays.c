// Two pointers in an array are exchanged: in the step, behind what the host does, or by a function.
// args: 40 60 ; 9 3 ; 33 0
// form: loops that the host keeps: double *tmp = buf[0]; buf[0] = buf[1]; buf[1] = tmp;
// form: loops that the host keeps: swap(&buf[0], &buf[1]);
#include "dump.h"

static void swap(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), steps = argument(argc, argv, 2, 60);
    double *buf[2] = {new_double(n, 1), new_double(n, 2)};
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            buf[1][i] = 0.5 * (buf[0][i - 1] + buf[0][i + 1]);
        double *tmp = buf[0]; buf[0] = buf[1]; buf[1] = tmp;
        if (t % 10 == 0)
            printf("%d %.17g\n", t, buf[0][n / 2]);
    }
    show_double("0", buf[0], n);
    show_double("1", buf[1], n);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            buf[1][i] = 0.5 * (buf[0][i - 1] + buf[0][i + 1]);
        if (t % 10 == 7)
            printf("%d %.17g\n", t, buf[1][n / 3]);
        double *tmp = buf[0];
        buf[0] = buf[1];
        buf[1] = tmp;
        if (t == 30)
            buf[0][3] = buf[1][4] + 1;
    }
    show_double("0", buf[0], n);
    show_double("1", buf[1], n);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double *a = buf[0], *b = buf[1];
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        if (t % 10 == 0)
            printf("%d %.17g\n", t, b[n / 2]);
        if (t % 23 != 11)
            swap(&buf[0], &buf[1]);
    }
    show_double("0", buf[0], n);
    show_double("1", buf[1], n);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double *a = buf[0], *b = buf[1];
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        if (t % 16 == 0)
            printf("%d %.17g\n", t, b[n / 2]);
        swap(&buf[0], &buf[1]);
    }
    show_double("0", buf[0], n);
    show_double("1", buf[1], n);
    return 0;
}
