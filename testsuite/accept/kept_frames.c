// Frames of several steps each: the inner loop is the host's, too; its counter chooses the copy, and a value goes by it.
// args: 12 14 5 7 ; 12 14 1 1 ; 9 9 3 2
// form: loops that the host keeps: for (int frame = 0; frame < frames; frame++)
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 12), m = argument(argc, argv, 2, 14);
    int frames = argument(argc, argv, 3, 5), steps = argument(argc, argv, 4, 7);
    double(*a)[n][m] = (void *)new_double((size_t)2 * n * m, 1);
    double sum = 0;
#pragma stencil
    for (int frame = 0; frame < frames; frame++) {
        for (int t = 0; t < steps; t++) {
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    a[(t + 1) % 2][i][j] = 0.3 * (a[t % 2][i - 1][j] + a[t % 2][i][j + 1]) + 0.01 * t;
            if (t % 3 == 2)
                printf("step %d\n", t);
        }
        for (int i = 0; i < n; i++)
            sum += a[0][i][i % m];
        printf("frame %d: %.17g\n", frame, sum);
    }
    show_double("a", &a[0][0][0], (size_t)2 * n * m);
    return 0;
}
