// Scalars without a value, with a value that nobody can tell, or of types that no device has.
void without_value(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        double s;
        a[i] = s;
    }
}

void left_by_a_loop(int n, double (*a)[8], const double (*b)[8])
{
    int i, j;
    double s = 0;
#pragma stencil
    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++) {
            s = b[i][j];
            a[i][j] = s;
        }
        a[i][0] = s;
    }
}

void without_value_in_a_branch(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        double s;
        if (b[i] > 0)
            s = b[i];
        a[i] = s;
    }
}

void volatile_read(int n, volatile double s, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = s;
}

void volatile_written(int n, double *a)
{
    volatile double s;
#pragma stencil
    for (int i = 0; i < n; i++) {
        s = i;
        a[i] = 1;
    }
}

void undeclared(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        s = i;
        a[i] = 1;
    }
}

void of_structure_type(int n, double *a, struct weight { double w; } s)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = s;
}

void into_a_structure(int n, double *a, struct weight s)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        s = 1;
        a[i] = 1;
    }
}

void function_as_value(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = undeclared;
}

void declared_static(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        static int calls;
        a[i] = calls;
    }
}

void empty_list(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        double s = { };
        a[i] = s;
    }
}

// remedy: s/double s;/double s = 0;/
// remedy: s/        a[i][0] = s;/        s = b[i][n - 1];\n        a[i][0] = s;/
// remedy: s/            s = b[i];\n/            s = b[i];\n        else\n            s = 0;\n/
// remedy: s/#pragma stencil\n/    double w = s;\n#pragma stencil\n/
// remedy: s/a[i] = s/a[i] = w/
// remedy: s/volatile double s/double s/
// remedy: s/void undeclared(int n, double *a)\n{\n/void undeclared(int n, double *a)\n{\n    double s;\n/
// remedy: s/struct weight { double w; } s/double s/
// remedy: s/struct weight s/double s/
// remedy: s/= undeclared/= n/
// remedy: s/#pragma stencil\n/    static int calls;\n#pragma stencil\n/
// remedy: s/        static int calls;\n//
// remedy: s/{ }/0/
