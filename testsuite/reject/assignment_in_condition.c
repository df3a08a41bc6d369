// An assignment hidden in a condition.
void limit(int n, double *a, const double *b)
{
    double x;
#pragma stencil
    for (int i = 0; i < n; i++)
        if ((x = b[i]) > 0.0)
            a[i] = x;
}

// remedy: s/if ((x = b[i]) > 0.0)\n            a[i] = x;/{\n            x = b[i];\n            if (x > 0.0)\n                a[i] = x;\n        }/
