// Sums over the neighbours that are there: loops that begin and end at the point's neighbours or at the walls, whichever is nearer.
// args: 30 24 7 ; 5 9 4 ; 1 1 3 ; 2 40 5
// form: bodies: for (int k = MAX(i - 1, 0); k <= MIN(i + 1, n - 1); k++)
// form: bodies: for (k = i > 2 ? i - 2 : 0; k < (i + 3 < n ? i + 3 : n); k++)
#include "dump.h"
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

static int most(int a, int b)
{
    if (a > b)
        return a;
    return b;
}

static int neighbours(int **cells, int i, int j, int n, int m)
{
    int sum = 0;
    for (int k = MAX(i - 1, 0); k <= MIN(i + 1, n - 1); k++)
        for (int l = most(0, j - 1); l <= (j == m - 1 ? j : j + 1); l++)
            if (!(k == i && l == j))
                sum += cells[k][l];
    return sum;
}

static void life(int **now, int **next, int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int alive = neighbours(now, i, j, n, m);
            next[i][j] = now[i][j] ? alive == 2 || alive == 3 : alive == 3;
        }
}

static void smooth(const double *a, double *b, int n, int m)
{
    int i, j, k, l;
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) {
            int first = j - 1, last = j + 1;
            double sum = 0, count = 0;
            if (first < 0)
                first = 0;
            if (last >= m)
                last = m - 1;
            for (k = i > 2 ? i - 2 : 0; k < (i + 3 < n ? i + 3 : n); k++)
                for (l = first; l <= last; l++) {
                    sum += a[k * m + l];
                    count += 1;
                }
            b[i * m + j] = sum / count;
        }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 30), m = argument(argc, argv, 2, 24), steps = argument(argc, argv, 3, 7);
    int **now = malloc(n * sizeof *now), **next = malloc(n * sizeof *next);
    double *a = new_double(n * m, 1), *b = new_double(n * m, 2);
    for (int i = 0; i < n; i++) {
        now[i] = malloc(m * sizeof **now);
        next[i] = calloc(m, sizeof **next);
        for (int j = 0; j < m; j++)
            now[i][j] = noise(i * 97 + j) > 0;
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        life(now, next, n, m);
        int **other = now;
        now = next;
        next = other;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            putchar('0' + now[i][j]);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        smooth(a, b, n, m);
        double *c = a;
        a = b;
        b = c;
    }
    show_double("a", a, n * m); show_double("b", b, n * m);
    return 0;
}
