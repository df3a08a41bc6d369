#ifndef HIDDEN
#define HIDDEN static
#endif

HIDDEN double weight = 0.5, *mean;
static const int first = 1;

void open_mean(double *memory)
{
    mean = memory;
}

void sweep(int n, const double *a)
{
    for (int i = first; i < n - 1; i++)
        mean[i] = weight * (a[i - 1] + a[i + 1]);
}
