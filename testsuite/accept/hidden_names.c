// The program's own functions and variables have names of the C library that the OpenCL library needs.
// args: 37 5 ; 41 7
// form: calls: void write(const char *title, const double *values, int n)
#include "dump.h"

double time = 0.5, (*listen)(double);
int link;
static int lines;

void write(const char *title, const double *values, int n);

void write(const char *title, const double *values, int n)
{
    show_double(title, values, n);
    lines++;
}

/* Not what reads a file, and nobody else may call it. */
const char *read(double *values, int n, double factor)
{
    for (int i = 0; i < n; i++)
        values[i] *= factor;
    link += n;
    return "half";
}

_Noreturn void send(int code) { printf("%d lines, %d\n", lines, link); exit(code); }

static double half(double x) { return x / 2; }

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 37, steps = argc > 2 ? atoi(argv[2]) : 5;
    double *a = new_double(n, 1), *b = new_double(n, 2);
    listen = half;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + time * a[i + 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i] * 0.5;
    }
    write("a", a, n);
    write(read(b, n, listen(time)), b, n);
    send(0);
}
