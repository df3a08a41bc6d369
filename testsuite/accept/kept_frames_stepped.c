// Frames of so many steps each, behind which the host writes, adds to its arrays, or stops; a loop in a condition counts, too.
// args: 12 14 5 13 ; 12 14 1 1 ; 9 9 3 0 ; 20 7 4 40
// form: loops that the host keeps: for (int s = 0; s < each; s++) {
#include "dump.h"

static void write_frame(int n, int m, double u[n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            putchar(32 + ((int)(64 * u[i][j]) & 63));
    putchar('\n');
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 12), m = argument(argc, argv, 2, 14);
    int frames = argument(argc, argv, 3, 5), each = argument(argc, argv, 4, 13), done = 0;
    double(*u)[m] = (void *)new_double((size_t)n * m, 1), (*v)[m] = (void *)new_double((size_t)n * m, 2);
#pragma stencil
    for (int frame = 0; frame < frames; frame++) {
        for (int s = 0; s < each; s++) {
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    u[i][j] = v[i][j];
        }
        write_frame(n, m, u);
    }
    show_double("u", u[0], (size_t)n * m);
#pragma stencil
    for (int frame = 0; frame < frames; frame++) {
        for (int s = 0; s < each; s++) {
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    v[i][j] = 0.3 * (u[i - 1][j] + u[i][j + 1]);
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    u[i][j] = v[i][j];
            if (++done % 17 == 16)
                printf("step %d\n", done);
        }
        for (int i = 1; i < n - 1; i++)
            u[i][m / 2] += 0.5;
    }
    printf("%d\n", done);
    show_double("u", u[0], (size_t)n * m);
    show_double("v", v[0], (size_t)n * m);
    return 0;
}
