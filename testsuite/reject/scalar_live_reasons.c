// Scalars that are read after the nest and whose last value the host cannot compute.
#include <math.h>

double of_a_function(int n, double *a)
{
    double s = 0;
#pragma stencil
    for (int i = 0; i < n; i++) {
        s = sqrt(a[i]);
        a[i] = s;
    }
    return s;
}

double of_an_element_nobody_reads(int n, double *a, const double *b)
{
    double s = 0;
#pragma stencil
    for (int i = 0; i < n; i++) {
        s = b[i];
        a[i] = i;
    }
    return s;
}

double of_static_storage(int n, double *a)
{
    static double s;
#pragma stencil
    for (int i = 0; i < n; i++) {
        s = a[i];
        a[i] = s + 1;
    }
    return 0;
}

double with_an_address(int n, double *a)
{
    double s, *p = &s;
#pragma stencil
    for (int i = 0; i < n; i++) {
        s = a[i];
        a[i] = s + 1;
    }
    return *p;
}

double with_a_lost_jump(int n, double *a)
{
    double s = 0;
    if (n)
        goto nowhere;
#pragma stencil
    for (int i = 0; i < n; i++) {
        s = a[i];
        a[i] = s + 1;
    }
    return 0;
}

double with_a_lost_break(int n, double *a)
{
    double s = 0;
    if (n)
        break;
#pragma stencil
    for (int i = 0; i < n; i++) {
        s = a[i];
        a[i] = s + 1;
    }
    return 0;
}

double with_a_lost_case(int n, double *a)
{
    double s = 0;
    case 1:
#pragma stencil
    for (int i = 0; i < n; i++) {
        s = a[i];
        a[i] = s + 1;
    }
    return 0;
}

double with_something_else(int n, double *a)
{
    double s = 0;
    int $ k;
#pragma stencil
    for (int i = 0; i < n; i++) {
        s = a[i] + k;
        a[i] = s + 1;
    }
    return 0;
}

// remedy: s/s = sqrt(a[i])/double s = sqrt(a[i])/
// remedy: s/s = b[i]/double s = b[i]/
// remedy: s/s = a[i]/double s = a[i]/
// remedy: s/s = a[i]/double s = a[i]/
// remedy: s/goto nowhere;/return 1;/
// remedy: s/s = a[i]/double s = a[i]/
// remedy: s/break;/return 1;/
// remedy: s/s = a[i]/double s = a[i]/
// remedy: s/    case 1:\n//
// remedy: s/s = a[i]/double s = a[i]/
// remedy: s/int $ k/int k = 1/
// remedy: s/s = a[i]/double s = a[i]/
