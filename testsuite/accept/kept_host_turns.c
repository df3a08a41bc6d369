// Between the sweeps of a step and the exchange of its buffers the host looks at them, or does something else.
// args: 20 30 37 ; 13 17 3 ; 9 9 40 ; 12 10 1 ; 8 9 0
// form: loops that the host keeps: printf("%d\n", t); double *tmp = a; a = b; b = tmp;
// form: loops that the host keeps: SWAP(a, b); SWAP(c, d);
// form: loops that the host keeps: int to = 1 - from;
// form: loops that the host keeps: turned->now = 1 - turned->now; k++;
#include "dump.h"

#define SWAP(x, y) do { double *swap_ = x; x = y; y = swap_; } while (0)

struct pair { double *now, *next; };
struct turned { double *level[2]; int now; };

static double levels[2][30][40];

static void sweep(double *to, const double *from, int n, int m)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            to[i * m + j] = 0.2 * (from[i * m + j] + from[(i - 1) * m + j] + from[(i + 1) * m + j] +
                                   from[i * m + j - 1] + from[i * m + j + 1]);
}

static void in_pointers(double *a, double *b, int n, int m, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sweep(b, a, n, m);
        if (t % 10 == 3)
            printf("%d %a\n", t, b[m + 1]);
        if (t % 4 == 2)
            printf("%d\n", t);
        double *tmp = a;
        a = b;
        b = tmp;
    }
    show_double("a", a, (size_t)(n * m));
    show_double("b", b, (size_t)(n * m));
}

static void in_two_pairs(double *a, double *b, double *c, double *d, int n, int m, int steps)
{
    int percent = -1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sweep(b, a, n, m);
        sweep(d, c, n, m);
        printf(t % 7 ? "." : "%d", t);
        SWAP(a, b);
        SWAP(c, d);
        if (100 * (t + 1) / steps / 20 != percent) {
            percent = 100 * (t + 1) / steps / 20;
            printf("%d percent\n", 20 * percent);
        }
    }
    show_double("a", a, (size_t)(n * m));
    show_double("d", d, (size_t)(n * m));
}

static void in_members(struct pair *pair, int n, int m, int steps)
{
    int k = 0;
#pragma stencil
    while (k < steps) {
        sweep(pair->next, pair->now, n, m);
        k++;
        if (k % 8 == 0)
            printf("%d %a\n", k, pair->next[m + 2]);
        double *tmp = pair->now;
        pair->now = pair->next;
        pair->next = tmp;
    }
    show_double("now", pair->now, (size_t)(n * m));
    show_double("next", pair->next, (size_t)(n * m));
}

static double *first, *second;
static int now;

static void exchange(void)
{
    double *tmp = first;
    first = second;
    second = tmp;
}

static void exchange_pair(struct pair *pair)
{
    double *tmp = pair->now;
    pair->now = pair->next;
    pair->next = tmp;
}

static void exchange_places(double **one, double **other)
{
    double *tmp = *one;
    *one = *other;
    *other = tmp;
}

static void toggle(int *number)
{
    *number = 1 - *number;
}

static void in_functions(struct pair *pair, int n, int m, int steps)
{
    double **one = &pair->now, **other = &pair->next;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sweep(second, first, n, m);
        if (t % 6 == 0)
            printf("%a\n", second[m + 1]);
        exchange();
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sweep(pair->next, pair->now, n, m);
        if (t % 6 == 0)
            printf("%a\n", pair->next[m + 1]);
        exchange_pair(pair);
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sweep(*other, *one, n, m);
        if (t % 6 == 0)
            printf("%a\n", (*other)[m + 1]);
        exchange_places(one, other);
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                levels[1 - now][i][j] = 0.3 * levels[now][i - 1][j] + 0.6 * levels[now][i][j + 1];
        if (t % 6 == 0)
            printf("%a\n", levels[now][n / 2][m / 2]);
        toggle(&now);
    }
    printf("%d\n", now);
    show_double("first", first, (size_t)(n * m));
    show_double("now", pair->now, (size_t)(n * m));
    show_double("levels", levels[0][0], sizeof levels / sizeof(double));
}

static void in_levels(int n, int m, int steps)
{
    int from = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        int to = 1 - from;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                levels[to][i][j] = 0.25 * (levels[from][i - 1][j] + levels[from][i + 1][j] + levels[from][i][j - 1] +
                                           levels[from][i][j + 1]);
        if (t % 9 == 4)
            printf("%d %a\n", t, levels[to][n / 2][m / 2]);
        from = to;
    }
    printf("%d\n", from);
    show_double("levels", levels[0][0], sizeof levels / sizeof(double));
}

static void in_turned(struct turned *turned, int n, int m, int steps)
{
    long k = 0;
#pragma stencil
    while (k < steps) {
        double *from = turned->level[turned->now], *to = turned->level[1 - turned->now];
        sweep(to, from, n, m);
        turned->now = 1 - turned->now;
        k++;
        if (k % 11 == 0)
            printf("%ld %a\n", k, turned->level[turned->now][m + 1]);
    }
    printf("%d\n", turned->now);
    show_double("first", turned->level[0], (size_t)(n * m));
    show_double("second", turned->level[1], (size_t)(n * m));
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), m = argument(argc, argv, 2, 30), steps = argument(argc, argv, 3, 37);
    size_t size = (size_t)(n * m);
    struct pair pair = { new_double(size, 7), new_double(size, 8) };
    struct turned turned = { { new_double(size, 9), new_double(size, 10) }, steps % 2 };
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 40; j++)
            levels[0][i][j] = levels[1][i][j] = (i * 7 + j * j) % 23;
    in_pointers(new_double(size, 1), new_double(size, 2), n, m, steps);
    in_two_pairs(new_double(size, 3), new_double(size, 4), new_double(size, 5), new_double(size, 6), n, m, steps);
    in_members(&pair, n, m, steps);
    in_levels(n, m, steps);
    in_turned(&turned, n, m, steps);
    first = new_double(size, 11);
    second = new_double(size, 12);
    in_functions(&pair, n, m, steps);
    return 0;
}
