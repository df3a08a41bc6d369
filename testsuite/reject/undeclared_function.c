// A function of the library without its header: C takes it for one that returns `int`.
void shift(int n, double *a, double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        b[i] = trunc(a[i]);
}

// remedy: s/void shift/#include <math.h>\n\nvoid shift/
