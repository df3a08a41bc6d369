// What the host keeps of each step goes into structures: logs with members of several types, receivers with their traces, lists
// behind pointers to structures.
// args: 21 17 37 ; 9 12 5 ; 5 5 0 ; 33 8 50
// form: loops that the host keeps: rec[r].trace[t] = now[rec[r].i][rec[r].j];
// form: loops that the host keeps: log[kept].step = t;
// form: loops that the host keeps: w->sums[w->count++] = sum;
#include <math.h>
#include "dump.h"

enum { MOST = 64, RECEIVERS = 3 };

struct receiver {
    int i, j;
    char name[8];
    float trace[MOST];
    double peak;
};

struct entry {
    int step;
    double value;
    struct {
        float x, y;
    } at;
};

struct wave {
    int n, m, count;
    double *a, *b, *sums;
};

static void run(struct wave *w, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double sum = 0;
        for (int i = 1; i < w->n - 1; i++)
            for (int j = 1; j < w->m - 1; j++) {
                int c = i * w->m + j;
                w->b[c] = 0.25 * (w->a[c - 1] + w->a[c + 1] + w->a[c - w->m] + w->a[c + w->m]);
                sum += w->b[c];
            }
        double *tmp = w->a;
        w->a = w->b;
        w->b = tmp;
        w->sums[w->count++] = sum;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 21), m = argument(argc, argv, 2, 17), steps = argument(argc, argv, 3, 37), kept = 0;
    double *p = new_double((size_t)n * m, 1), *q = new_double((size_t)n * m, 2);
    double(*now)[m] = (void *)p, (*old)[m] = (void *)q;
    static struct receiver rec[RECEIVERS];
    struct entry *log = calloc(MOST, sizeof *log);
    for (int r = 0; r < RECEIVERS; r++) {
        rec[r].i = (n - 1) * (r + 1) / 4;
        rec[r].j = (m - 1) / (r + 2);
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                old[i][j] = 0.5 * now[i][j] + 0.125 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
        double(*tmp)[m] = now;
        now = old;
        old = tmp;
        for (int r = 0; r < RECEIVERS; r++) {
            rec[r].trace[t] = now[rec[r].i][rec[r].j];
            if (fabs(now[rec[r].i][rec[r].j]) > rec[r].peak)
                rec[r].peak = fabs(now[rec[r].i][rec[r].j]);
        }
        if (t % 5 == 0) {
            log[kept].step = t;
            log[kept].value = now[n / 2][m / 2];
            log[kept].at.x = (float)now[0][1];
            kept++;
        }
    }
    for (int r = 0; r < RECEIVERS; r++) {
        printf("%a\n", rec[r].peak);
        show_float("trace", rec[r].trace, MOST);
    }
    for (int k = 0; k < kept; k++)
        printf("%d %a %a\n", log[k].step, log[k].value, log[k].at.x);
    show_double("p", p, (size_t)n * m);
    show_double("q", q, (size_t)n * m);
    struct wave w = {n, m, 0, p, q, calloc(MOST, sizeof(double))};
    run(&w, steps);
    show_double("a", w.a, (size_t)n * m);
    show_double("sums", w.sums, (size_t)w.count);
    return 0;
}
