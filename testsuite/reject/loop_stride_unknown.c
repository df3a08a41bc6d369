// The stride is a variable.
void copy(int n, int stride, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i += stride)
        a[i] = b[i];
}

// remedy: s|#pragma stencil\n    for (int i = 0; i < n; i += stride)|    int count = (n + stride - 1) / stride;\n#pragma stencil\n    for (int k = 0; k < count; k++)|
// remedy: s/a[i] = b[i]/a[k * stride] = b[k * stride]/
