// An array that is written in part only, and loop variables that outlive their loops. When the program ends inside the
// region, a handler looks whether an array has changed.
#include "dump.h"

enum { N = 37, M = 29 };

static double a[N][M], b[N][M], peaks[N][M], before[3][N][M];
static int is_inside;

static void look(void)
{
    if (!is_inside)
        return;
    int is_same = memcmp(a, before[0], sizeof a) == 0 && memcmp(b, before[1], sizeof b) == 0
        && memcmp(peaks, before[2], sizeof peaks) == 0;
    printf("%s\n", is_same ? "untouched" : "TOUCHED");
}

static void peak(int n, int m, int steps)
{
    int t = -1, i = -2, j = -3;
    memcpy(before[0], a, sizeof a);
    memcpy(before[1], b, sizeof b);
    memcpy(before[2], peaks, sizeof peaks);
    is_inside = 1;
#pragma stencil
    for (t = 0; t < steps; t++) {
        for (i = 3; i < n - 2; i++)
            for (j = 2; j < m - 3; j++)
                b[i][j] = 0.25 * (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
        for (i = 3; i < n - 2; i++)
            for (j = 2; j < m - 3; j++)
                a[i][j] = b[i][j];
        for (i = 5; i < n - 4; i += 2)
            for (j = 4; j < m - 4; j++)
                if (a[i][j] > 0.1)
                    peaks[i][j] = a[i][j];
    }
    is_inside = 0;
    printf("%d %d %d\n", t, i, j);
}

int main(void)
{
    atexit(look);
    fill_double(&a[0][0], N * M, 1);
    fill_double(&b[0][0], N * M, 2);
    fill_double(&peaks[0][0], N * M, 3);
    peak(N, M, 5);
    peak(N - 4, M - 5, 4);
    show_double("a", &a[0][0], N * M);
    show_double("b", &b[0][0], N * M);
    show_double("peaks", &peaks[0][0], N * M);
    return 0;
}
