// Scalars that are read behind a nest, whose last value only the points can tell.
// args: 70 6 ; 3 1 ; 2 3 ; 12 9
// form: scalars read behind a nest: last = a[i] + b[i + 1];
#include <math.h>
#include "dump.h"

static double of_the_last_point(int n, double *a, const double *b)
{
    double last = 0.0;
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        last = a[i] + b[i + 1];
        a[i] = 0.5 * last;
    }
    return last;
}

static int of_a_point_that_is_chosen(int n, double *a, const double *b)
{
    int last = -1;
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        a[i] = 0.5 * b[i];
        if (b[i] > 0)
            last = i;
    }
    return last;
}

static double behind_a_jump(int n, double *a, int rounds)
{
    double last = 0;
    for (int k = 0; k < rounds; k++) {
#pragma stencil
        for (int i = 1; i < n - 1; i++) {
            last = 0.5 * a[i];
            a[i] = last;
        }
        if (k == 7)
            break;
        last = 0;
    }
    return last;
}

static int of_a_triangle(int n, double (*a)[n], double (*b)[n])
{
    int last = -1;
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n - 1 - i; j++) {
            a[i][j] = 0.5 * b[i][j];
            last = j;
        }
    return last;
}

static double kept;

static double of_static_storage(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        kept = sqrt(fabs(a[i]));
        a[i] = kept;
    }
    return 0;
}

static double of_a_small_array(int n, double *a)
{
    double w[2] = {0};
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        w[0] = a[i];
        a[i] = w[0] + 1;
    }
    return w[0];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 70), rounds = argument(argc, argv, 2, 6);
    double *a = new_double((size_t)n * n, 1), *b = new_double((size_t)n * n, 2);
    printf("%a\n", of_the_last_point(n, a, b));
    printf("%d\n", of_a_point_that_is_chosen(n, a, b));
    printf("%a\n", behind_a_jump(n, a, rounds));
    printf("%d\n", of_a_triangle(n, (double (*)[n])a, (double (*)[n])b));
    printf("%a\n", of_static_storage(n, a) + kept);
    printf("%a\n", of_a_small_array(n, a));
    show_double("a", a, (size_t)n * n);
    return 0;
}
