// A switch chooses the formula.
void relax(int n, const int *kind, double *a, const double *b)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        switch (kind[i]) {
        case 0:
            a[i] = b[i];
            break;
        default:
            a[i] = 0.5 * (b[i - 1] + b[i + 1]);
        }
    }
}

// remedy: s/#pragma stencil\n/#pragma stencil extent(b[0:n])\n/
// remedy: s/switch (kind[i]) {\n        case 0:\n            a[i] = b[i];\n            break;\n        default:\n            a[i] = 0.5 * (b[i - 1] + b[i + 1]);\n        }/if (kind[i] == 0)\n            a[i] = b[i];\n        else\n            a[i] = 0.5 * (b[i - 1] + b[i + 1]);/
