// Ping-pong by swapping pointers; the buffers have different borders, and steps are even and odd.
// form: time levels: double *swap = a; a = b; b = swap;
// args: 17 9 5 ; 8 31 3 ; 11 7 6 ; 9 9 0 ; 9 9 1 ; 9 9 2
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    size_t size = (size_t)n * m;
    double *a = new_double(size, 1), *b = new_double(size, 2);
    double *first = a, *second = b;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = 0.25 * (a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j]
                                       + a[(i + 1) * m + j]);
        double *swap = a;
        a = b;
        b = swap;
    }
    printf("a is the %s\n", a == first ? "first" : "second");
    show_double("a", a, size);
    show_double("b", b, size);
    show_double("first", first, size);
    show_double("second", second, size);
    return 0;
}
