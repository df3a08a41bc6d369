// The host reads members of structures whose other members are the arrays, through a pointer and as elements of a grid.
// args: 30 12 ; 9 5 ; 40 33
// form: loops that the host keeps: printf("%a\n", p->weight);
#include "dump.h"

struct cell {
    double weight, other;
};

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 30), steps = argument(argc, argv, 2, 12);
    struct cell *g = (struct cell *)new_double((size_t)n * 2, 1), *h = (struct cell *)new_double((size_t)n * 2, 2);
    struct cell *p = g + n / 2;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            h[i].weight = 0.5 * (g[i - 1].weight + g[i + 1].weight);
        for (int i = 1; i < n - 1; i++)
            g[i].weight = h[i].weight;
        if (t % 3 == 1)
            printf("%a\n", p->weight);
    }
    show_double("g", &g->weight, (size_t)n * 2);
    show_double("h", &h->weight, (size_t)n * 2);
    return 0;
}
