// Two nests, each wrong in its own way: both are reported.
void first(int n, double *a)
{
#pragma stencil
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1];
}

void second(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        if (b[i] < 0.0)
            break;
        a[i] = b[i];
    }
}

// remedy: s/double *a)/double *a, const double *b)/
// remedy: s/a[i - 1]/b[i - 1]/
// remedy: s/#pragma stencil\n    for (int i = 0; i < n; i++) {\n        if (b[i] < 0.0)\n            break;\n        a[i] = b[i];\n    }/    int end = 0;\n    while (end < n && b[end] >= 0.0)\n        end++;\n#pragma stencil\n    for (int i = 0; i < end; i++)\n        a[i] = b[i];/
