// A clause of OpenMP's that says here which order sums have.
double sum(int n, double *a, const double *b)
{
    double all = 0;
#pragma stencil reduction(+: all)
    for (int i = 0; i < n; i++) {
        a[i] = 0.5 * b[i];
        all += a[i];
    }
    return all;
}

// remedy: s/+: all/any_order/
