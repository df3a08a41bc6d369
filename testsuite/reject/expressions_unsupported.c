// Expressions that a nest cannot have.
#include <math.h>

typedef double real;

void comma(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = (n, i);
}

void string(int n, char *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = *"text";
}

void two_strings(int n, char *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = *("te" "xt");
}

void compound_literal(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = *(int[]){ 1, 2 };
}

void long_character(int n, int *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = 'ab';
}

void complement(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = ~b[i];
}

void remainder_of_numbers(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = b[i] % 2;
}

void operands_missing(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = fmax(b[i]);
}

void type_as_value(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = real + b[i];
}

void middle_missing(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = b[i] ?: 1;
}

void chosen_of_unknown_type(int n, double *a, struct weight { double w; } s)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = 1 ? 2 : s;
}

void size_of_structure(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = sizeof(struct weight);
}

void size_of_nothing(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = sizeof(nothing);
}

void size_without_length(int n, double *a)
{
    extern double rows[];
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = sizeof(rows);
}

void function_as_pointer(int n, double *a, double (*f)(double))
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = f[i];
}

void statement_as_value(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = ({ i; });
}

// remedy: s/(n, i)/i/
// remedy: s/*"text"/'t'/
// remedy: s/*("te" "xt")/'t'/
// remedy: s/*(int[]){ 1, 2 }/1/
// remedy: s/'ab'/24930/
// remedy: s/~b[i]/~(int)b[i]/
// remedy: s/b[i] % 2/fmod(b[i], 2)/
// remedy: s/fmax(b[i])/fmax(b[i], 0)/
// remedy: s/real + b[i]/(real)(b[i])/
// remedy: s/b[i] ?: 1/b[i] != 0 ? b[i] : 1/
// remedy: s/2 : s/2 : 3/
// remedy: s/sizeof(struct weight)/8/
// remedy: s/sizeof(nothing)/8/
// remedy: s/sizeof(rows)/8/
// remedy: s/double (*f)(double)/const double *f/
// remedy: s/({ i; })/i/
