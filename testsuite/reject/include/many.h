/* A header with marked nests of its own. */
static inline void halve(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] /= 2;
}

static inline void negate(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = -a[i];
}

static inline void add(int n, double *a, double b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] += b;
}
