// The inner loop is empty in the last iteration of the outer one, so an earlier one sets the scalar last.
int relax(int n, double a[n][n], double b[n][n])
{
    int last = -1;
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n - 1 - i; j++) {
            a[i][j] = 0.5 * b[i][j];
            last = j;
        }
    return last;
}

// remedy: s/            last = j;\n        }/        }\n    if (n > 1)\n        last = 0;/
