// A subscript computed from values: a lookup table.
void colour(int n, unsigned char *a, const double *b, const unsigned char *table)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = table[(int)(255.0 * b[i])];
}

// remedy: s/const unsigned char *table)/const unsigned char *table, unsigned char *found)/
// remedy: s/#pragma stencil\n/    for (int i = 0; i < n; i++)\n        found[i] = table[(int)(255.0 * b[i])];\n#pragma stencil\n/
// remedy: s/table[(int)(255.0 * b[i])]/found[i]/
