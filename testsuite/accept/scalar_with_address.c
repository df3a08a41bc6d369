// Scalars whose address is known elsewhere lie in no written array, which the driver makes sure of.
#include "dump.h"

double factor = 0.25;
int width;

static void set(int *n, double *scale)
{
    *n = 17;
    *scale = 0.125;
}

int main(void)
{
    int n, steps = 3;
    double scale, *a = new_double(20, 1), *b = new_double(20, 2);
    int *marks = malloc(20 * sizeof *marks);
    set(&n, &scale);
    width = n - 1;
    for (int i = 0; i < 20; i++)
        marks[i] = i;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < width; i++)
            b[i] = scale * (a[i - 1] + a[i + 1]) + factor;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        for (int i = 1; i < n - 1; i++)
            marks[i] += 2;
    }
    show_double("a", a, 20);
    show_double("b", b, 20);
    for (int i = 0; i < 20; i++)
        printf("%d ", marks[i]);
    return 0;
}
