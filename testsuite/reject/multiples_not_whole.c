// Loops that count by a size of which the distance between their ends is no multiple, or that changes within them.
void ends_anywhere(int n, int m, int k, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < 9; t++)
        for (int i = 0; i < k; i += m)
            for (int j = 1; j < m - 1; j++)
                a[i + j] = b[i + j];
}

void begins_anywhere(int n, int m, int k, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < 9; t++)
        for (int i = k; i < n * m; i += m)
            a[i] = b[i];
}

void changes(int n, int m, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < 9; t++)
        for (int i = 0; i < n * m; i += m) {
            a[i] = b[i];
            if (i > 3)
                m = 2;
        }
}

// remedy: s/for (int i = 0; i < k; i += m)/for (int i = 0; i < n; i++)/
// remedy: s/a[i + j] = b[i + j]/a[i * m + j] = b[i * m + j]/
// remedy: s/for (int i = k; i < n * m; i += m)/for (int i = 0; i < n; i++)/
// remedy: s/a[i] = b[i]/a[k + i * m] = b[k + i * m]/
// remedy: s/            if (i > 3)\n                m = 2;\n//
