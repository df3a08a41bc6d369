// Functions of the library's names, enumerations, exchanges and a place of a nest that are not what they seem.
typedef double unary(double);
enum small : short { SMALL };

void copied(int n, double *a, double *b)
{
    int memcpy(void *, const void *, unsigned long);
#pragma stencil
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < 8; i++)
            a[i] = b[i];
        memcpy(b, a, 8 * sizeof(double));
    }
}

void declared_by_typedef(int n, double *a)
{
    unary sin;
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = sin(a[i]);
}

void enumeration_of_a_size(int n, double *a, enum small k)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = k;
}

void enumeration_from_elsewhere(int n, double *a, enum other k)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = k;
}

void no_cycle(int n, double *a, double *b, double *c)
{
    double *d;
#pragma stencil
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < 8; i++)
            a[i] = b[i] + c[i];
        d = b;
        a = b;
        b = c;
        c = d;
    }
}

#pragma stencil
for (int i = 0; i < 8; i++)
    somewhere[i] = 1;

// remedy: s/enum small : short/enum small/
// remedy: s/memcpy(b, a, 8 * sizeof(double));/for (int i = 0; i < 8; i++)\n            b[i] = a[i];/
// remedy: s/sin(a[i])/a[i] * a[i]/
// remedy: s/enum other k/int k/
// remedy: s/d = b;/d = a;/
// remedy: s/#pragma stencil\nfor/void at_the_end(double *somewhere)\n{\n#pragma stencil\nfor/
// remedy: s/somewhere[i] = 1;/somewhere[i] = 1;\n}/
