// A subscript runs along with loops of which each is longer than the one before: no sum of loop variables and sizes.
void packed(int n, int m, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        int k = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++) b[k++] = a[i * m + j];
    }
}
// remedy: s/b[k++]/b[i * m + j]/
