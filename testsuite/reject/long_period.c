// Two large remainders repeat together only after 10^12 iterations.
void sweep(int n, double *a, double *b)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        if (i % 1000003 == 1 && i % 999983 != 7)
            b[i] = a[i];
}

// remedy: s/999983/1000003/
