// Pointers, scalars and counters declared before the nest help within it, under conditions too; nobody needs them later.
// args: 9 7 1 ; 12 5 0
#include "dump.h"

double *a, *b;

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 9), m = argument(argc, argv, 2, 7), mode = argument(argc, argv, 3, 1);
    int i, j, t, place;
    double *row, *above, value;
    a = new_double(n * m, 1);
    b = new_double(n * m, 2);
    for (int round = 0; round < 2; round++) {
#pragma stencil
        for (t = 0; t < 3; t++) {
            for (i = 1; i < n; i++) {
                row = b + i * m;
                above = a + (i - 1) * m;
                for (j = 0; j < m; j++) {
                    value = above[j] - t;
                    row[j] = value * 0.5;
                }
            }
            if (mode)
                for (j = 0; j < m; j++) {
                    place = j * 2;
                    b[j] = a[j] + place;
                }
            else
                for (j = 0; j < m; j++)
                    b[j] = a[j];
            for (i = 0; i < n; i++)
                for (j = 0; j < m; j++)
                    a[i * m + j] = b[i * m + j];
        }
        value = place = round;
        a[0] += value + place;
    }
    printf("%d\n", t);
    show_double("a", a, n * m);
    show_double("b", b, n * m);
    return 0;
}
