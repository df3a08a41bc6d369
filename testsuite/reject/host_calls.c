// Work of the host in the midst of a nest: clocks, files, functions of the program, functions that devices do not have.
#include <math.h>
#include <stdio.h>
#include <sys/time.h>

void report(int step, double *a);

void clocks(int n, int steps, double *a)
{
    struct timeval now;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        gettimeofday(&now, 0);
        for (int i = 0; i < n; i++)
            a[i] *= 0.5;
    }
}

void files(int n, int steps, double *a)
{
    FILE *file;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            a[i] *= 0.5;
        file = fopen("state", "w");
        fprintf(file, "%g", a[0]);
        fclose(file);
    }
}

void own(int n, int steps, double *a)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            a[i] *= 0.5;
        report(t, a);
    }
}

void at_points(int n, double *a, const double *b, double *c)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = tgamma(b[i]);
#pragma stencil
    for (int i = 0; i < n; i++) {
        a[i] = b[i];
        printf("%g", b[i]);
    }
}

// remedy: s/#pragma stencil\n//
// remedy: s/        for/#pragma stencil\n        for/
// remedy: s/#pragma stencil\n//
// remedy: s/        for/#pragma stencil\n        for/
// remedy: s/#pragma stencil\n//
// remedy: s/        for/#pragma stencil\n        for/
// remedy: s/#pragma stencil\n/    for (int i = 0; i < n; i++)\n        c[i] = tgamma(b[i]);\n#pragma stencil\n/
// remedy: s/        a[i] = tgamma(b[i])/        a[i] = c[i]/
// remedy: s/        a[i] = b[i];\n/        a[i] = b[i];\n    }\n    for (int i = 0; i < n; i++) {\n/
