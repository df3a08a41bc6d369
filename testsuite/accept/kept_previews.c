// The host reads an element, a row, a column or all of an array behind a step, at moments that follow no rule: the wave equation with
// three buffers that rotate, of which a launch of several steps leaves two.
// args: 70 100 7 ; 33 64 1 ; 12 40 2 ; 70 83 11
// form: loops that the host keeps: printf("%d before %.17g\n", t, before[k * n + n / 2]);
#include "dump.h"

static double sum_of(const double *first, int count, int stride)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += first[i * stride];
    return sum;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 70), steps = argument(argc, argv, 2, 100);
    unsigned random = (unsigned)argument(argc, argv, 3, 7);
    size_t size = (size_t)n * n;
    double *before = new_double(size, 1), *now = new_double(size, 2), *next = new_double(size, 3);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                next[i * n + j] = 1.9 * now[i * n + j] - 0.9 * before[i * n + j]
                                  + 0.05 * (now[i * n + j - 1] + now[i * n + j + 1] + now[(i - 1) * n + j]
                                            + now[(i + 1) * n + j] - 4 * now[i * n + j]);
        double *free_buffer = before;
        before = now;
        now = next;
        next = free_buffer;
        random = random * 1103515245u + 12345u;
        int what = (int)(random >> 16) % 16, k = (int)(random >> 20) % n;
        if (what == 0)
            printf("%d now %.17g\n", t, now[k * n + n / 2]);
        if (what == 1)
            printf("%d before %.17g\n", t, before[k * n + n / 2]);
        if (what == 2)
            printf("%d oldest %.17g\n", t, next[k * n + n / 2]);
        if (what == 3)
            printf("%d row %.17g\n", t, sum_of(now + k * n, n, 1));
        if (what == 4)
            printf("%d column %.17g\n", t, sum_of(next + k, n, n));
        if (what == 5 && k % 5 == 0)
            printf("%d all %.17g\n", t, sum_of(before, n * n, 1));
        if (what == 6 && k % 7 == 0)
            before[k * n + k] += 0.01;
    }
    show_double("before", before, size);
    show_double("now", now, size);
    show_double("next", next, size);
    return 0;
}
