// The head of the loop that the host keeps calls what nobody sees with an array.
double look(double *a);

void relax(int n, double end, double dt, double *a, double *b)
{
    double time = 0;
#pragma stencil
    while (time < end + look(a)) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        time += dt;
    }
}

// remedy: s/    double time = 0;/    double time = 0, last = end + look(a);/
// remedy: s/time < end + look(a)/time < last/
// remedy: s/        time += dt;/        time += dt;\n        last = end + look(a);/
