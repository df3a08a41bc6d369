// The points of each step are summed in an element of a list, as the steps have one each.
double sqrt(double);

int settle(int n, int most, double *u, double *w, double *sums)
{
#pragma stencil
    for (int k = 0; k < most; k++) {
        sums[k] = 0;
        for (int i = 1; i < n - 1; i++) {
            double r = u[i - 1] - 2 * u[i] + u[i + 1];
            w[i] = u[i] + 0.25 * r;
            sums[k] += r * r;
        }
        double *tmp = u;
        u = w;
        w = tmp;
        if (sums[k] < 1e-6)
            return k;
    }
    return most;
}

// remedy: s/        sums[k] = 0;/        double sum = 0;/
// remedy: s/            sums[k] += r * r;/            sum += r * r;/
// remedy: s/        double *tmp = u;/        sums[k] = sum;\n        double *tmp = u;/
