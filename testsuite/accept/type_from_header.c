// The element type, the index type and a constant come from a header of the project.
// args: 17 9 5 ; 8 31 3
// flags: -I include/grid
#include "dump.h"
#include "grid.h"

int main(int argc, char **argv)
{
    index_t n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    index_t steps = argument(argc, argv, 3, 5);
    real_t *a = new_float((size_t)n * m, 1), *b = new_float((size_t)n * m, 2);
#pragma stencil
    for (index_t t = 0; t < steps; t++) {
        for (index_t i = HALO; i < n - HALO; i++)
            for (index_t j = HALO; j < m - HALO; j++)
                AT(b, i, j) = WEIGHT * (AT(a, i, j - 1) + AT(a, i, j + 1) + AT(a, i - 1, j) + AT(a, i + 1, j));
        for (index_t i = HALO; i < n - HALO; i++)
            for (index_t j = HALO; j < m - HALO; j++)
                AT(a, i, j) = AT(b, i, j);
    }
    show_float("a", a, (size_t)n * m);
    show_float("b", b, (size_t)n * m);
    return 0;
}
