// Two loops of a step take sub-steps, so many as nobody knows before, and what moves slowly has its own.
void run(int n, int steps, int fast, int slow, double *a, double *b, double *c, double *d)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int s = 0; s < fast; s++) {
            for (int i = 1; i < n - 1; i++)
                b[i] = 0.5 * (a[i - 1] + a[i + 1]);
            for (int i = 1; i < n - 1; i++)
                a[i] = b[i];
        }
        for (int s = 0; s < slow; s++) {
            for (int i = 1; i < n - 1; i++)
                d[i] = c[i] + 0.1 * a[i];
            for (int i = 1; i < n - 1; i++)
                c[i] = d[i - 1];
        }
    }
}
// remedy: s/#pragma stencil\n//
// remedy: s/        for (int s = 0; s < fast/#pragma stencil\n        for (int s = 0; s < fast/
// remedy: s/        for (int s = 0; s < slow/#pragma stencil\n        for (int s = 0; s < slow/
