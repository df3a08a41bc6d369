// The body changes the loop variable.
void copy(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        a[i] = b[i];
        i++;
    }
}

// remedy: s/i++/i += 2/
// remedy: s/        i++;\n//
