// A pragma that a macro expands to has no line of its own.
#define MARKED _Pragma("stencil") for
void fill(int n, double *a)
{
    MARKED (int i = 0; i < n; i++)
        a[i] = 1;
}

// remedy: s/#define MARKED _Pragma("stencil") for\n//
// remedy: s/    MARKED/#pragma stencil\n    for/
