// Two nests whose names go into one another's generated text.
void sweep(int n, double *a, double *b)
{
#pragma stencil name(heat)
    for (int i = 1; i < n - 1; i++)
        b[i] = 0.5 * (a[i - 1] + a[i + 1]);
#pragma stencil name(heat_original)
    for (int i = 1; i < n - 1; i++)
        a[i] = b[i];
}

// remedy: s/heat_original/cool/
