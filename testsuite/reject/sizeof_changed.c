// The size of an array that was declared with another value of the variable.
static int total = 8;

static void shrink(void) { total = 3; }

void copy(double *a, double *b)
{
    int n = 8;
    typedef double row[n];
    double pad[n], whole[total];
    n = 3;
    shrink();
    row other;
#pragma stencil
    for (int i = 0; i < (int)(sizeof(pad) / sizeof(double)); i++)
        b[i] = a[i];
#pragma stencil
    for (int i = 0; i < (int)(sizeof(other) / sizeof(double)); i++)
        b[i] = a[i];
#pragma stencil
    for (int i = 0; i < (int)(sizeof(whole) / sizeof(double)); i++)
        b[i] = a[i];
}

// remedy: s/double pad[n], whole[total];\n    n = 3;\n/const int length = total;\n    double pad[n], whole[length];\n/
