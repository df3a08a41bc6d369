// Functions are declared within the functions that call them, as programs of old do.
// args: 13 9 7 ; 5 6 8 ; 4 3 1 ; 17 5 0
// with: with/inside.c
// form: calls: extern void wrap(int n, int m, double *a);
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5), t;
    size_t count = (size_t)n * m;
    double *a = new_double(count, 1), *b = new_double(count, 2);
    extern void wrap(int n, int m, double *a);
    void relax(int n, int m, const double *from, double *to), fade(int n, int m, double *a);
#pragma stencil
    for (t = 0; t < steps; t++) {
        wrap(n, m, a);
        relax(n, m, a, b);
        relax(n, m, b, a);
        fade(n, m, a);
    }
    show_double("a", a, count);
#pragma stencil
    for (t = 0; t < steps; t++) {
        void report(int t, double value);
        relax(n, m, a, b);
        if (t % 3 == 0)
            report(t, b[m]);
        relax(n, m, b, a);
    }
    show_double("a", a, count);
    show_double("b", b, count);
    return 0;
}

void relax(int n, int m, const double *from, double *to)
{
    double mean(double, double);
    for (int i = 1; i < n - 1; i++)
        for (int j = 0; j < m; j++)
            to[i * m + j] = mean(from[(i - 1) * m + j], from[(i + 1) * m + j]);
}

double mean(double left, double right)
{
    double half(double value);
    return half(left) + half(right);
}

double half(double value) { return 0.5 * value; }
