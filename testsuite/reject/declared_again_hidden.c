// A block of the nest declares a variable of the file once more that a variable of the function hides where the nest stands.
// remedy: s/double weight = 3;/double w = 3;/
// remedy: s/weight + 1/w + 1/
double weight = 0.2;

void relax(int n, int steps, double *a, double *b)
{
    double weight = 3;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            extern double weight;
            b[i] = weight * (a[i - 1] + a[i + 1]);
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    a[0] = weight + 1;
}
