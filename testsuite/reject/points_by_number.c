// Numbers of points whose digits cannot be told: rows of another length, and points that are not whole rows.
void shifted(int nx, int ny, double *a, const double *b)
{
#pragma stencil
    for (int t = 0; t < 9; t++)
        for (int k = 0; k < nx * ny; k++) {
            int y = (k + 1) / nx, x = (k + 1) % nx;
            a[y * nx + x] = a[y * nx + x] * b[k];
        }
}

void part(int nx, int n, double *a, const double *b)
{
#pragma stencil
    for (int t = 0; t < 9; t++)
        for (int k = 0; k < n; k++) {
            int y = k / nx, x = k % nx;
            a[y * nx + x] = a[y * nx + x] * b[k];
        }
}

void other(int nx, int ny, double *a, const double *b)
{
#pragma stencil
    for (int t = 0; t < 9; t++)
        for (int k = 0; k < nx * ny; k++) {
            int y = k / ny, x = k % nx;
            a[y * nx + x] = a[y * nx + x] * b[k];
        }
}

void below(int nx, int ny, double *a, const double *b)
{
#pragma stencil
    for (int t = 0; t < 9; t++)
        for (int k = -nx; k < nx * ny; k++) {
            int y = k / nx, x = k % nx;
            a[y * nx + x + nx] = a[y * nx + x + nx] * b[k + nx];
        }
}

// remedy: s/for (int k = 0; k < nx * ny; k++) {/for (int y = 0; y < ny; y++) for (int x = 0; x < nx; x++) {/
// remedy: s@int y = (k + 1) / nx, x = (k + 1) % nx;@int k = y * nx + x;@
// remedy: s/for (int k = 0; k < n; k++) {/for (int y = 0; y < n; y++) for (int x = 0; x < nx; x++) {/
// remedy: s@int y = k / nx, x = k % nx;@int k = y * nx + x;@
// remedy: s/for (int k = 0; k < nx * ny; k++) {/for (int y = 0; y < ny; y++) for (int x = 0; x < nx; x++) {/
// remedy: s@int y = k / ny, x = k % nx;@int k = y * nx + x;@
// remedy: s/for (int k = -nx; k < nx * ny; k++) {/for (int y = 0; y < ny; y++) for (int x = 0; x < nx; x++) {/
// remedy: s@int y = k / nx, x = k % nx;@int k = y * nx + x;@
