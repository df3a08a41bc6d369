// A function counts with a variable of the file, and where the nest stands another one has that name.
static int i;

static void sweep(int n, double *a, const double *b)
{
    for (i = 1; i < n - 1; i++)
        a[i] = b[i - 1] + b[i + 1];
}

int rows(void)
{
    return i;
}

void relax(int n, int steps, double *a, double *b)
{
    int i = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sweep(n, b, a);
        sweep(n, a, b);
    }
    a[i] = 0;
}

// remedy: s/int i = 0;/int first = 0;/
// remedy: s/a[i] = 0;/a[first] = 0;/
