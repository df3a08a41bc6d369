// Arrays whose dimensions cannot be told, and arrays that are exchanged where no time passes.
void size_from_data(int n, double a[8], const int *sizes)
{
    double (*rows)[sizes[0]] = (void *)a;
#pragma stencil
    for (int i = 0; i < n; i++)
        rows[0][i] = 1;
}

void size_of_quotient(int n, double rows[][n / (n - 8)])
{
#pragma stencil
    for (int i = 0; i < n; i++)
        rows[i][0] = 1;
}

void rows_of_two_lengths(int n, int m, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[(n + m) * i + (n - m) * j] = 1;
}

void rows_that_overlap(int n, int m, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[n * i + m * i + m * j] = 1;
}

void rows_of_another_length(int n, int m, double *a)
{
#pragma stencil extent(a[0:n][0:m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[n * i + j] = 1;
}

void size_changed(int n)
{
    double a[n][n];
    n = n - 1;
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = 1;
}

void size_of_typedef(int n)
{
    typedef double row[n];
    n = n - 1;
    row a[8];
#pragma stencil
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = 1;
}

void exchanged_over_space(int n, double *a, double *b)
{
    double *c;
#pragma stencil
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 8; j++)
            a[8 * i + j] = b[j];
        c = a;
        a = b;
        b = c;
    }
}

void clause_with_a_number(int n, double w, double *a)
{
#pragma stencil extent(a[0:n][0:w])
    for (int i = 0; i < n; i++)
        a[i] = 1;
}

void same_element(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i] = j;
}

// remedy: s/double (*rows)[sizes[0]]/int size = sizes[0];\n    double (*rows)[size]/
// remedy: s|double rows[][n / (n - 8)]|int m, double rows[][m]|
// remedy: s/(n - m) * j/j/
// remedy: s/m * j/j/
// remedy: s/[0:m])/[0:n])/
// remedy: s/double a[n][n]/const int size = n;\n    double a[size][size]/
// remedy: s/typedef double row[n]/const int size = n;\n    typedef double row[size]/
// remedy: s/    double *c;\n#pragma stencil\n/    double *c;\n/
// remedy: s/        for/#pragma stencil\n        for/
// remedy: s/[0:w]//
// remedy: s/a[i] = j/a[n * i + j] = j/
