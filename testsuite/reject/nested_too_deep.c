// More loops around a statement, and more statements in unrolled loops, than anybody writes.
void loops(int n, double *a)
{
#pragma stencil
    for (int c = 0; c < n; c++)
    for (int d = 0; d < n; d++)
    for (int e = 0; e < n; e++)
    for (int f = 0; f < n; f++)
    for (int g = 0; g < n; g++)
    for (int h = 0; h < n; h++)
    for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++)
    for (int l = 0; l < n; l++)
    for (int m = 0; m < n; m++)
    for (int o = 0; o < n; o++)
    for (int p = 0; p < n; p++)
        a[p] = 1;
}

void statements(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 64; k++)
            for (int l = 0; l < 64; l++)
                a[i] += b[i] * k + l - 2 * n * (l + i);
}

// remedy: s/#pragma stencil\n//
// remedy: s/    for (int p/#pragma stencil\n    for (int p/
// remedy: s/#pragma stencil\n    for (int i = 0; i < n; i++)\n        for (int k = 0; k < 64; k++)/    for (int k = 0; k < 64; k++)\n#pragma stencil\n        for (int i = 0; i < n; i++)/
