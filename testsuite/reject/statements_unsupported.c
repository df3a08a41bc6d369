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
