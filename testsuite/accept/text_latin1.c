// Comments with bytes that are no UTF-8: naïve, équation de la chaleur, µ.
// args: 37 5
#include "dump.h"

/* Équation: ¶u/¶t = ²u */
int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2); /* éèà */
    printf("café\n");
#pragma stencil
    for (int t = 0; t < steps; t++) { /* à chaque pas */
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]); /* intérieur */
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
