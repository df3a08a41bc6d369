// No branch sets the weight for cells of any other kind.
void relax(int n, const int *kind, double *a, const double *b)
{
    double weight;
#pragma stencil
    for (int i = 0; i < n; i++) {
        if (kind[i] == 0)
            weight = 0.5;
        else if (kind[i] == 1)
            weight = 0.25;
        a[i] = weight * b[i];
    }
}

// remedy: s/            weight = 0.25;\n/            weight = 0.25;\n        else\n            weight = 0;\n/
