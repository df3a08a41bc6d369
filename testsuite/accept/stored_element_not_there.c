// The memory ends before elements that the mask lets no point store: the original loops run.
// args: 5000 ; 9000
// fallback: expected
#include "edge.h"

static void set(int n, double *a, const double *source, const unsigned char *is_open)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        if (is_open[i])
            a[i] = 0.5 * source[i];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 5000);
    double *source = new_double(n, 1), *a = new_double_at_edge(n / 2);
    if (!a)
        return 2;
    unsigned char *is_open = calloc(n, 1);
    fill_double(a, n / 2, 2);
    for (int i = 0; i < n / 2; i++)
        is_open[i] = i % 3 != 0;
    set(n, a, source, is_open);
    show_double("a", a, n / 2);
    return 0;
}
