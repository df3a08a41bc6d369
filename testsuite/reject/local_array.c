// Arrays of a point's own that are more than scalars.
void sum(int n, int m, double *a, const double *b)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        double w[3] = {0, 0, 0};
        for (int k = 0; k < m; k += 2)
            w[k] = b[i + k - 1];
        a[i] = w[0] + 2 * w[1] + w[2];
    }
}

void behind_the_end(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        double w[3];
        w[3] = b[i];
        a[i] = w[3];
    }
}

void with_a_pointer(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        double w[3], *p = w;
        p[0] = b[i];
        a[i] = *(p + i % 3);
    }
}

void without_a_value(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        double w[3];
        w[0] = b[i];
        a[i] = w[0] + w[1];
    }
}

void of_the_point_before(int n, double *a, const double *b)
{
    double w[2];
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        a[i] = w[0];
        w[0] = 0.5 * w[0] + b[i];
    }
}

void of_a_size(int n, double *a, const double *b)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        double w[i];
        w[0] = b[i];
        a[i] = w[0];
    }
}

void listed_otherwise(int n, double *a)
{
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        double w[2] = {[1] = 3};
        a[i] = w[1];
    }
}

// remedy: s/int n, int m, /int n, /
// remedy: s/k < m/k < 3/
// remedy: s/double w[3]/double w[4]/
// remedy: s/double w[3], *p = w/double w[3]/
// remedy: s/p[0]/w[0]/
// remedy: s/*(p + i % 3)/w[0]/
// remedy: s/double w[3]/double w[3] = {0, 0, 0}/
// remedy: s/a[i] = w[0];\n        w[0] = 0.5 * w[0] + b[i];/a[i] = b[i - 1];/
// remedy: s/double w[i]/double w[2]/
// remedy: s/{[1] = 3}/{0, 3}/
