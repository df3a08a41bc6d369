// A `while` loop that would run twice if there were one cell alone.
void blur(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        int left = i - 2;
        while (left < 0)
            left += n;
        a[i] = 0.5 * (b[i] + b[left]);
    }
}

// remedy: s/i - 2/i - 1/
