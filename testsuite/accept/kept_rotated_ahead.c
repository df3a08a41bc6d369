// Three buffers rotate, of which a step reads one, and the host looks at a maximum after each step: the two states before the last are
// there at the end, too, after however many steps the device has run ahead.
// args: 70 10 ; 70 18 ; 70 26 ; 33 9 ; 33 11 ; 12 33
// form: loops that the host keeps: double *oldest = now; now = next; next = spare; spare = oldest; it++; if (it >= most) break;
#include <math.h>
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 70), most = argument(argc, argv, 2, 20), it = 0;
    size_t size = (size_t)n * n;
    double *now = new_double(size, 1), *next = new_double(size, 2), *spare = new_double(size, 3);
    double change = 1;
#pragma stencil
    while (change > 1e-30) {
        change = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                next[i * n + j] = 0.25 * (now[i * n + j - 1] + now[i * n + j + 1] + now[(i - 1) * n + j] + now[(i + 1) * n + j]);
                change = fmax(change, fabs(next[i * n + j] - now[i * n + j]));
            }
        double *oldest = now;
        now = next;
        next = spare;
        spare = oldest;
        it++;
        if (it >= most)
            break;
    }
    printf("%d %.17g\n", it, change);
    show_double("now", now, size);
    show_double("next", next, size);
    show_double("spare", spare, size);
    return 0;
}
