// A function of the program's own with the name of a function of the library.
static double trunc(double x) { return x + 1; }

void shift(int n, double *a, double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        b[i] = trunc(a[i]);
}

// remedy: s/b[i] = trunc(a[i])/b[i] = a[i] + 1/
