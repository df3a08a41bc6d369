// Pointers and arrays where a nest needs numbers, and numbers where it needs pointers.
void not_an_array(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = n[i];
}

void not_a_pointer(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = *n;
}

void no_integer(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = b[i * 0.5];
}

void address_of_scalar(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = *&n;
}

void address_of_value(int n, double *a, double w)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = *&*w;
}

void to_nothing(int n, double *a, double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = *(void *)b;
}

void whole_row(int n, double (*a)[16], double b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = b;
}

void to_a_number(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        *(a[i]) = 1;
}

void to_a_value(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        -a[i] = 1;
}

void as_a_number(int n, double *a, double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = -b;
}

void compared(int n, double *a, double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = a < b;
}

void doubled(int n, double *a, double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        double *p = a;
        p *= 2;
        p[i] = b[i];
    }
}

void stored(int n, long *a, double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = b;
}

void of_another_type(int n, float *a, double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        float *p = b;
        a[i] = p[i];
    }
}

void seen_as_another_type(int n, float *a, double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = ((float *)b)[i];
}

void made_of_a_number(int n, double *a, long b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = ((double *)b)[i];
}

void in_a_number(int n, double *a, double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        long p = b;
        a[i] = p;
    }
}

void in_one_branch(int n, int mode, double *a, double *b, double *c)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        double *p = b;
        if (mode)
            p = c;
        a[i] = p[i];
    }
}

void of_structures(int n, double *a, struct place { double x; } *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = *b;
}

// remedy: s/n[i]/n/
// remedy: s/*n/n/
// remedy: s|b[i * 0.5]|b[i / 2]|
// remedy: s/*&n/n/
// remedy: s/*&*w/w/
// remedy: s/*(void *)b/*b/
// remedy: s/a[i] = b/a[i][0] = b/
// remedy: s/*(a[i])/a[i]/
// remedy: s/-a[i]/a[i]/
// remedy: s/-b/-b[i]/
// remedy: s/a < b/a[i] < b[i]/
// remedy: s/        p *= 2;\n//
// remedy: s/a[i] = b;/a[i] = b[i];/
// remedy: s/float *p = b/double *p = b/
// remedy: s/#pragma stencil\n/    float *c = (float *)b;\n#pragma stencil\n/
// remedy: s/((float *)b)[i]/c[i]/
// remedy: s/#pragma stencil\n/    double *c = (double *)b;\n#pragma stencil\n/
// remedy: s/((double *)b)[i]/c[i]/
// remedy: s/long p = b/double *p = b/
// remedy: s/a[i] = p/a[i] = *p/
// remedy: s/        double *p = b;\n        if (mode)\n            p = c;\n        a[i] = p[i];/        if (mode)\n            a[i] = c[i];\n        else\n            a[i] = b[i];/
// remedy: s/struct place { double x; } *b/double *b/
