// Declarations whose types are not written or not C's hide the global variable of their name.
double n = 0.5, m = 0.25, k = 2;

void scale(double *a, double *b)
{
    static n = 3;
    int m __attribute__((mode(DI))) = 5;
    _Atomic int k = 2;
#pragma stencil
    for (int i = 0; i < 9; i++)
        b[i] = a[i] * n;
#pragma stencil
    for (int i = 0; i < 9; i++)
        b[i] = a[i] * m;
#pragma stencil
    for (int i = 0; i < 9; i++)
        b[i] = a[i] * k;
#pragma stencil
    for (int i = 0; i < 9; i++)
        b[i] = (long double)i;
}

// remedy: s/static n/static int n/
// remedy: s/int m __attribute__((mode(DI)))/long m/
// remedy: s/_Atomic int k/int k/
// remedy: s/(long double)i/(double)i/
