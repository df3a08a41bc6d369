// Clauses say what variables hold that the nest does not read, that it sets itself, that are no integers, or say it twice.
void unread(int n, int m, double *a, const double *b)
{
#pragma stencil value(m = 3)
    for (int i = 0; i < n; i++)
        a[i] = b[i];
}

void set(int n, int k, double *a, const double *b)
{
#pragma stencil value(k = 3)
    for (int i = 2; i < n - 3; i++) {
        k = 2;
        a[i] = b[i + k];
    }
}

void real(int n, double h, double *a, const double *b)
{
#pragma stencil value(h = 3)
    for (int i = 0; i < n; i++)
        a[i] = h * b[i];
}

void twice(int n, int k, double *a, const double *b)
{
#pragma stencil value(k = 3) value(k = 2)
    for (int i = 0; i < n; i++)
        a[i] = k * b[i];
}

void misspelt(int n, int k, double *a, const double *b)
{
#pragma stencil value(k: 3)
    for (int i = 0; i < n; i++)
        a[i] = k * b[i];
}

// remedy: s/ value(m = 3)//
// remedy: s/ value(k = 3)//
// remedy: s/ value(h = 3)//
// remedy: s/ value(k = 2)//
// remedy: s/k: 3/k = 3/
