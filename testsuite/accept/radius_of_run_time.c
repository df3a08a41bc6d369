// Sums over neighbours as far as a variable says, which begins with the number that it has in the end; weights behind a table of
// rows, borders as wide as the radius, a clock between the sweeps.
// args: 21 26 17 ; 13 9 4 ; 33 17 0
// notes: the device runs this nest only where `width == 3`
// form: loops: for (int k = -width / 2; k < width / 2 + 1; k++)
#include <time.h>
#include "dump.h"

struct clock_time {
    long seconds, parts;
};

static struct clock_time start = {0, 0};

static double seconds(void)
{
    struct clock_time now, since;
    now.seconds = clock() / CLOCKS_PER_SEC;
    now.parts = clock() % CLOCKS_PER_SEC;
    do {
        (&since)->seconds = (&now)->seconds - (&start)->seconds;
        (&since)->parts = (&now)->parts - (&start)->parts;
    } while (0);
    return since.seconds + since.parts / (double)CLOCKS_PER_SEC;
}

static void read_sizes(int argc, char **argv, int *n, int *m, int *steps, int *width)
{
    *n = argument(argc, argv, 1, *n);
    *m = argument(argc, argv, 2, *m);
    *steps = argument(argc, argv, 3, *steps);
    *width = argument(argc, argv, 4, *width);
}

static double **new_rows(int n, int m, int seed)
{
    double **rows = malloc((size_t)n * sizeof *rows);
    rows[0] = new_double((size_t)n * m, seed);
    for (int i = 1; i < n; i++)
        rows[i] = rows[0] + (size_t)m * i;
    return rows;
}

static void border(double **u, const int n, const int m, const int width)
{
    for (int away = 0; away < width / 2; away++) {
        const int low = width / 2 - away, high = m - 1 - width / 2 + away;
        for (int i = 0; i < n; i++) {
            u[i][low - 1] = u[i][low];
            u[i][high + 1] = u[i][high];
        }
    }
    for (int i = n / 2; i < n; i++)
        for (int j = m - 1 - width / 2; j < m; j++)
            u[i][j] = 1.0;
}

static void weigh(double **u, double **sums, double **weights, const int n, const int m, const int width)
{
    for (int i = width / 2; i < n - width / 2; i++)
        for (int j = width / 2; j < m - width / 2; j++) {
            double sum = 0;
            for (int k = -width / 2; k < width / 2 + 1; k++)
                for (int l = -width / 2; l < width / 2 + 1; l++)
                    sum += weights[k + width / 2][l + width / 2] * u[i + k][j + l];
            sums[i][j] = sum;
        }
}

static void add(double **u, double **sums, double **next, const int n, const int m, const int width, const double by)
{
    for (int i = width / 2; i < n - width / 2; i++)
        for (int j = width / 2; j < m - width / 2; j++)
            next[i][j] = u[i][j] + by * sums[i][j];
}

static void exchange(double ***a, double ***b)
{
    double **other = (*a);
    (*a) = (*b);
    (*b) = other;
}

int main(int argc, char **argv)
{
    int n = 21, m = 26, steps = 17, width = 3;
    double spent = 0, sum = 0;
    read_sizes(argc, argv, &n, &m, &steps, &width);
    double **u = new_rows(n, m, 1), **next = new_rows(n, m, 2), **sums = new_rows(n, m, 3);
    double **weights = new_rows(width, width, 4);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        border(u, n, m, width);
        double began = seconds();
        weigh(u, sums, weights, n, m, width);
        spent += seconds() - began;
        add(u, sums, next, n, m, width, 0.125);
        exchange(&u, &next);
        if (t % 5 == 2) {
            sum += u[2][3];
            printf("%d %.17g %d\n", t, sum, spent >= 0);
        }
    }
    show_double("u", u[0], (size_t)n * m);
    show_double("next", next[0], (size_t)n * m);
    show_double("sums", sums[0], (size_t)n * m);
    return 0;
}
