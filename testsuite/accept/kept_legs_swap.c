// Between sweeps the host asks for threads and looks at a clock; an element is changed there now and then, steps are cut short,
// and pointers are exchanged behind the last sweep.
// args: 19 23 41 ; 8 9 3 ; 33 17 0
// form: loops that the host keeps: set_threads(4);
#include <time.h>
#include "dump.h"

static int threads;
static double began, spent;

static void set_threads(int count)
{
    threads = count;
}

static void begin(void)
{
    began = clock();
}

static void end(int t)
{
    spent += clock() - began;
    if (t % 9 == 4)
        printf("%d %d %d\n", t, threads, spent >= 0);
}

static void smooth(int n, int m, const double *from, double *to)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            to[i * m + j] = 0.2 * (from[(i - 1) * m + j] + from[(i + 1) * m + j] + 2 * from[i * m + j - 1]);
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), m = argument(argc, argv, 2, 23), steps = argument(argc, argv, 3, 41), t = 0;
    double *u = new_double((size_t)n * m, 1), *v = new_double((size_t)n * m, 2), *c = new_double((size_t)n * m, 3);
#pragma stencil
    while (t < steps) {
        set_threads(4);
        begin();
        smooth(n, m, u, c);
        end(t);
        if (t % 10 == 6) {
            c[2 * m + 3] = t;
            t++;
            continue;
        }
        begin();
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i * m + j] = u[i * m + j] + 0.5 * (c[(i - 1) * m + j] - c[i * m + j + 1]);
        double *other = u;
        u = v;
        v = other;
        end(t);
        t++;
    }
    show_double("u", u, (size_t)n * m);
    show_double("v", v, (size_t)n * m);
    show_double("c", c, (size_t)n * m);
    return 0;
}
