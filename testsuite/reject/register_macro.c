// A variable that the nest leaves changed is declared `register` by a macro.
#define FAST register
int relax(int n, int steps, double *a, double *b)
{
    FAST int t, i;
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    return t;
}

// remedy: s/FAST int/int/
