// Two nests, each wrong in its own way: both are reported.
void first(int n, double *a)
{
#pragma stencil
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1];
}

void second(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        if (b[i] < 0.0)
            break;
        a[i] = b[i];
    }
}
