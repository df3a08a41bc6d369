// A loop ends when the largest change is small; what changes most, how many do and whether any does by much is looked at, too.
// args: 70 80 1 ; 70 80 0.05 ; 9 11 0.3 ; 3 3 1
// form: sums, maxima and counts over points: change = fmax(change, by);
#include <math.h>
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 70), m = argument(argc, argv, 2, 80);
    double tol = argc > 3 ? atof(argv[3]) : 1;
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    double change = 1e9, most = 0, least;
    int steps = 0, count = 0, is_calm, row = -1, column = -1;
#pragma stencil
    while (change > tol && steps < 60) {
        change = 0.0;
        count = 0;
        most = -1;
        least = 1e9;
        is_calm = 1;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                double next = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
                double by = fabs(next - a[i * m + j]);
                b[i * m + j] = next;
                change = fmax(change, by);
                if (by > 0.01)
                    count++;
                if (by > most) {
                    most = by;
                    row = i;
                    column = j;
                }
                least = next < least ? next : least;
                if (by > 0.5)
                    is_calm = 0;
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i * m + j] = b[i * m + j];
        steps++;
        if (steps % 8 == 3)
            printf("%d %a %d %d\n", steps, change, row, count);
    }
    printf("%d %a %a %a %d %d %d %d\n", steps, change, most, least, count, row, column, is_calm);
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
