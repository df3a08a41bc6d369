// The wave equation with three buffers that rotate; all different outside the interior.
// form: time levels: old = now; now = next; next = free_buffer;
// args: 17 9 5 ; 8 31 3 ; 11 7 6 ; 9 9 1 ; 9 9 2 ; 9 9 4
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    size_t size = (size_t)n * m;
    double *old = new_double(size, 1), *now = new_double(size, 2), *next = new_double(size, 3);
    double *memory[3] = {old, now, next};
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                next[i * m + j] = 2.0 * now[i * m + j] - old[i * m + j]
                                  + 0.2 * (now[i * m + j - 1] + now[i * m + j + 1] + now[(i - 1) * m + j]
                                           + now[(i + 1) * m + j] - 4.0 * now[i * m + j]);
        double *free_buffer = old;
        old = now;
        now = next;
        next = free_buffer;
    }
    for (int k = 0; k < 3; k++) {
        printf("%d %d %d\n", memory[k] == old, memory[k] == now, memory[k] == next);
        show_double("memory", memory[k], size);
    }
    return 0;
}
