// The only pragma is in a part of the file that these flags leave out.
#ifdef DEVICE
void sweep(int n, double *a, double *b)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++)
        b[i] = 0.5 * (a[i - 1] + a[i + 1]);
}
#endif

// remedy: flags -DDEVICE
