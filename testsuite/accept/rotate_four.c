// Four buffers that rotate, of which a step reads one: the last four states are there at the end.
// args: 17 9 5 ; 17 9 6 ; 11 7 8 ; 9 9 1 ; 9 9 2 ; 9 9 3 ; 9 21 4 ; 9 9 7 ; 33 40 11
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    size_t size = (size_t)n * m;
    double *memory[4];
    for (int k = 0; k < 4; k++)
        memory[k] = new_double(size, k);
    double *now = memory[0], *next = memory[1], *third = memory[2], *fourth = memory[3];
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                next[i * m + j] = 0.4 * now[i * m + j] + 0.15 * (now[i * m + j - 1] + now[i * m + j + 1]
                                                                  + now[(i - 1) * m + j] + now[(i + 1) * m + j]);
        double *oldest = now;
        now = next;
        next = third;
        third = fourth;
        fourth = oldest;
    }
    for (int k = 0; k < 4; k++) {
        printf("%d %d %d %d\n", memory[k] == now, memory[k] == next, memory[k] == third, memory[k] == fourth);
        show_double("memory", memory[k], size);
    }
    return 0;
}
