// Both buffers are halves of one true array.
// args: 17 5 ; 10 4 ; 9 1
#include "dump.h"

#define MAX 40

static float a[2][MAX];

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), steps = argument(argc, argv, 2, 5);
    fill_float(a[0], 2 * MAX, 1);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            a[1][i] = 0.5f * (a[0][i - 1] + a[0][i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[0][i] = a[1][i];
    }
    show_float("a", a[0], 2 * MAX);
    return 0;
}
