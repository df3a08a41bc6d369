// A sum over points that a step needs within itself: with an unknown number of them it is no sum at each point.
void smooth(int n, int m, int steps, double *a, double *b, float *least)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = a[i * m + j - 1] + a[(i - 1) * m + j];
        if (*least < 1)
            break;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i * m + j] = b[i * m + j + 1] * 0.5;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                *least = *least > a[i * m + j] ? *least : a[i * m + j] - a[(i - 1) * m + j];
    }
}

// remedy: s/ *least = *least > a[i * m + j] ? *least : a[i * m + j] - a[(i - 1) * m + j];/ a[i * m + j] *= 0.5;/
