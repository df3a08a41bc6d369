// What all points come to is asked for after each step, so the device takes several steps ahead; it takes them back where the host
// looks at an element, ends the loop, or where something is no number or a zero of either sign.
// args: 70 80 0.05 0 ; 70 80 0 7 ; 70 80 0.002 1 ; 70 80 0.01 2 ; 67 75 0 3 ; 9 11 0.3 0
#include <math.h>
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 70), m = argument(argc, argv, 2, 80), kind = argument(argc, argv, 4, 0);
    double tol = argc > 3 ? atof(argv[3]) : 0.05;
    double *a = new_double((size_t)n * m, 1), *b = new_double((size_t)n * m, 2);
    double change = 1e9, least, most;
    int steps = 0, count, is_moving = 1;
    long total;
    if (kind == 2)
        a[n / 2 * m + m / 3] = NAN;
    for (int i = 0; kind == 3 && i < n * m; i++)
        a[i] = b[i] = i % 3 ? 0.0 : -0.0;
#pragma stencil
    while (is_moving && steps < 40) {
        change = 0.0;
        least = 1e9;
        most = -1e9;
        count = 0;
        total = 0;
        is_moving = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                double next = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
                double by = fabs(next - a[i * m + j]);
                b[i * m + j] = next;
                change = fmax(change, by);
                if (next < least)
                    least = next;
                most = next > most ? next : most;
                if (by > 0.01)
                    count++;
                if (by > tol)
                    is_moving = 1;
                total += (int)(next * 16);
            }
        double *tmp = a;
        a = b;
        b = tmp;
        steps++;
        if (kind == 1 && steps % 9 == 5)
            printf("%d: %a\n", steps, a[3 * m + 3]);
        if (kind == 7 && steps == 13)
            break;
    }
    printf("%d %a %a %a %d %d %ld\n", steps, change, least, most, count, is_moving, total);
    show_double("a", a, (size_t)n * m);
    show_double("b", b, (size_t)n * m);
    return 0;
}
