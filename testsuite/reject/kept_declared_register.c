// A step declares a variable for a register that the host needs behind it.
static double sweep(int n, double *a, double *b)
{
    double most = 0;
    for (int i = 1; i < n - 1; i++) {
        b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        most = b[i] > most ? b[i] : most;
    }
    return most;
}

int relax(int n, int steps, double *a, double *b)
{
    int t;
#pragma stencil
    for (t = 0; t < steps; t++) {
        register double most = sweep(n, b, a);
        if (most < 1)
            break;
    }
    return t;
}

// remedy: s/for (t = 0; t < steps; t++) {/for (t = 0; t < steps; t++) {\n        double most;/
// remedy: s/register double most = sweep(n, b, a);/most = sweep(n, b, a);/
