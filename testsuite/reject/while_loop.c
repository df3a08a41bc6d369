// The head of the loop that the host keeps needs an element.
void relax(int n, double end, double dt, double *a, double *b)
{
    double time = 0;
#pragma stencil
    while (time < end + a[1]) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        time += dt;
    }
}

// remedy: s/    double time = 0;/    double time = 0, last = end + a[1];/
// remedy: s/time < end + a[1]/time < last/
// remedy: s/        time += dt;/        time += dt;\n        last = end + a[1];/
