// Histories of which some steps keep a row, beside a record of each, or a mask says what changes; the other rows are left alone.
// args: 23 11 ; 9 1 ; 31 30
#include "dump.h"

static int h[32][40];

static void keep(int n, int steps, int *u, int *all, int *record, const int *mask)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            u[i] = (u[i] * 3 + 1) % 1001;
        if (t % 3 == 1)
            for (int i = 0; i < n; i++)
                all[t * n + i] = u[i];
        record[t] = u[n / 2];
    }
#pragma stencil
    for (int t = 0; t < 31; t++)
        for (int i = 1; i < 39; i++)
            if (mask[i] > 0)
                h[t + 1][i] = (h[t][i - 1] + h[t][i + 1]) / 2;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    size_t count = (size_t)steps * n;
    int *u = new_int(n, 1), *all = new_int(count, 2), *mask = new_int(40, 3), *record = new_int(steps, 5);
    fill_int(&h[0][0], 32 * 40, 4);
    keep(n, steps, u, all, record, mask);
    show_int("u", u, n);
    show_int("all", all, count);
    show_int("record", record, steps);
    show_int("h", &h[0][0], 32 * 40);
    return 0;
}
