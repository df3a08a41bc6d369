// The host keeps whole arrays now and then, and a row of each step, which it copies itself.
// args: 19 23 41 7 ; 8 9 3 1 ; 33 17 0 4
// form: loops that the host keeps: if (t % k == 0) memcpy(frames[count++], u, (size_t)n * m * sizeof *u);
// form: loops that the host keeps: memcpy(rows + t * m, u + n / 2 * m, m * sizeof *u);
#include "dump.h"
#include <string.h>

#define N 20
static float a[N][N], b[N][N], all[12][N][N];

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), m = argument(argc, argv, 2, 23), steps = argument(argc, argv, 3, 41);
    int k = argument(argc, argv, 4, 7), count = 0, kept = 0;
    double *u = new_double((size_t)n * m, 1), *v = new_double((size_t)n * m, 2), *tmp;
    double *rows = new_double((size_t)(steps + 1) * m, 3), *sums = new_double(steps + 1, 4);
    double **frames = malloc((steps / k + 1) * sizeof *frames);
    for (int f = 0; f <= steps / k; f++)
        frames[f] = new_double((size_t)n * m, 5 + f);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i * m + j] = 0.2 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
        tmp = u;
        u = v;
        v = tmp;
        if (t % k == 0) memcpy(frames[count++], u, (size_t)n * m * sizeof *u);
        memcpy(rows + t * m, u + n / 2 * m, m * sizeof *u);
        if (t == 20)
            u[m + 1] = frames[0][m + 2];
    }
    printf("%d\n", count);
    for (int f = 0; f <= steps / k; f++)
        show_double("frame", frames[f], (size_t)n * m);
    show_double("rows", rows, (size_t)(steps + 1) * m);
    show_double("u", u, (size_t)n * m);
    show_double("v", v, (size_t)n * m);

    for (int i = 0; i < N * N; i++)
        a[i / N][i % N] = b[i / N][i % N] = (float)(i % 13);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double sum = 0;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                sum += b[i][j];
            }
        memcpy(a, b, sizeof a);
        sums[t] = sum;
        if (t % 9 == 2 && kept < 12) {
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++)
                    all[kept][i][j] = a[i][j];
            kept++;
        }
    }
    printf("%d\n", kept);
    show_double("sums", sums, steps + 1);
    show_float("all", all[0][0], 12 * N * N);
    show_float("a", a[0], N * N);
    return 0;
}
