// A subscript computed from values: a lookup table.
void colour(int n, unsigned char *a, const double *b, const unsigned char *table)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = table[(int)(255.0 * b[i])];
}
