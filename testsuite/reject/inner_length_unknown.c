// How often an inner loop runs, nothing says.
void smooth(int n, int reach, double *a, const double *b)
{
#pragma stencil
    for (int i = 9; i < n - 9; i++) {
        double sum = 0;
        for (int k = -reach; k <= reach; k += 2)
            sum += b[i + k];
        a[i] = sum;
    }
}

// remedy: s/stencil/stencil value(reach = 3)/
