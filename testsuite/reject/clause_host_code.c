// Clauses about functions that the loop does not call, about arrays that are none, said twice, or where there is no host code.
#include <stdio.h>
void report(int t, const double *a);
void note(int t);

void uncalled(int n, int steps, double *a, double *b)
{
#pragma stencil pure(notes)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        note(t);
    }
}

void unknown(int n, int steps, double *a, double *b)
{
#pragma stencil host_reads(report: c)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        report(t, a);
    }
}

void twice(int n, int steps, double *a, double *b)
{
#pragma stencil host_reads(report: a) host_writes(report: b)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        report(t, a);
    }
}

void whole(int n, int steps, double *a, double *b)
{
#pragma stencil pure(note)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}

// remedy: s/pure(notes)/pure(note)/
// remedy: s/report: c/report: a/
// remedy: s/ host_writes(report: b)//
// remedy: s/ pure(note)\n/\n/
