// The loop has no condition.
void copy(double *a, const double *b)
{
#pragma stencil
    for (int i = 0;; i++)
        a[i] = b[i];
}

// remedy: s/;; i++/; i < 100; i++/
