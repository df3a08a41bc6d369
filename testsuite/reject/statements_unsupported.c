// Statements that a nest cannot have, and nests that do nothing.
void without_effect(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        a[i] = 1;
        a[i];
    }
}

void inner_function(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        int one(void) { return 1; }
        a[i] = 1;
    }
}

void no_array(int n)
{
    int s = 0;
#pragma stencil
    for (int i = 0; i < n; i++)
        s = i;
}

void repeated(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        do
            a[i] = 1;
        while (n);
}

void not_understood(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = 1 $ 2;
}

// remedy: s/        a[i];\n//
// remedy: s/        int one(void) { return 1; }\n//
// remedy: s/no_array(int n)/no_array(int n, int *a)/
// remedy: s/s = i/a[i] = i/
// remedy: s/do\n            a[i] = 1;\n        while (n);/for (int k = 0; k < 1; k++)\n            a[i] = 1;/
// remedy: s/1 $ 2/1 - 2/
