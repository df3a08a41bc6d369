// Inline assembly at every point.
void copy(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        a[i] = b[i];
        __asm__ volatile("" ::: "memory");
    }
}

// remedy: s/        __asm__ volatile("" ::: "memory");\n//
