// Arrays seen as rows of another length, or of one that may have changed.
void halve(double b[2][2], int n)
{
    double a[2][4] = { { 0 } };
    double (*p)[n] = (double (*)[n])a;
    n = 2;
#pragma stencil
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            double (*q)[2] = (void *)a;
            b[i][j] = q[i][j];
        }
#pragma stencil
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            double (*q)[n] = p;
            b[i][j] = q[i][j];
        }
#pragma stencil
    for (int i = 0; i < 2; i++) {
        double *q = (void *)b[0] + 8;
        b[1][i] = q[i];
    }
}

void third(int n, double b[2][2], void *memory)
{
    typedef double row[n];
    n = 2;
    row *rows = memory;
#pragma stencil
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            b[i][j] = rows[i][j];
}

// remedy: s/double (*q)[2] = (void *)a/double (*q)[4] = a/
// remedy: s/double (*q)[n] = p/double (*q)[4] = a/
// remedy: s/i < 2; i++) {\n        double *q = (void *)b[0] + 8/i < 1; i++) {\n        double *q = b[0] + 1/
// remedy: s/    n = 2;\n//
