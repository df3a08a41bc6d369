// A place that a step declares and that loops behind it declare anew for themselves, in their heads, in blocks and as the first of
// two variables; the host's loops do so, too.
// args: 60 40 ; 33 20 ; 5 3
#include "dump.h"
int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 60), steps = argument(argc, argv, 2, 40), middle = n / 2;
    double *e = new_double((size_t)n, 1), *h = new_double((size_t)n, 2), *pulse = new_double((size_t)steps, 3), most = -1e9;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int x = 1; x <= middle; x++) e[x] = 0.9 * e[x] - 0.3 * (h[x] - h[x - 1]);
        int x = middle;
        e[x] -= 0.01 * pulse[t];
        for (int x = middle + 1; x < n - 1; x++) e[x] = 0.8 * e[x] - 0.2 * h[x - 1];
        for (int x = 0; x < n - 1; x++) {
            int middle = x + 1;
            h[x] = 0.9 * h[x] - 0.3 * (e[middle] - e[x]);
        }
        for (int x = 0; x < n; x++)
            if (e[x] > most) most = e[x];
        if (t % 7 == 3) {
            int first = t, x = first + 1;
            printf("%d %d %a\n", first, x, most);
            for (int x = 0; x < n; x += 5) printf("%a\n", e[x]);
        }
    }
    printf("%d %a\n", middle, most);
    show_double("e", e, (size_t)n);
    show_double("h", h, (size_t)n);
    return 0;
}
