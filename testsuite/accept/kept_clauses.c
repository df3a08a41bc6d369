// Functions that cannot be seen, of which clauses say what they do to the arrays between steps.
// args: 14 11 20 ; 9 9 4
// form: loops that the host keeps: #pragma stencil pure(count) host_reads(look: u) host_reads(look_at_all) host_writes(change: v)
#include "dump.h"

static const double *first, *second;
static int counted;

// Calls through pointers: nothing is known of what they call.
static void add_one(void) { counted++; }
static void show_first(const double *u, int k) { printf("%.17g\n", u[k]); }
static void show_all(int k) { printf("%.17g %.17g\n", first[k], second[k]); }
static void change_one(double *v, int k) { v[k] += 1; }
static void (*volatile adds)(void) = add_one;
static void (*volatile shows)(const double *u, int k) = show_first;
static void (*volatile shows_all)(int k) = show_all;
static void (*volatile changes)(double *v, int k) = change_one;
static void count(void) { adds(); }
static void look(const double *u, int k) { shows(u, k); }
static void look_at_all(int k) { shows_all(k); }
static void change(double *v, int k) { changes(v, k); }

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 14), m = argument(argc, argv, 2, 11), steps = argument(argc, argv, 3, 20);
    double *u = new_double((size_t)n * m, 1), *v = new_double((size_t)n * m, 2);
    first = u;
    second = v;
#pragma stencil pure(count) host_reads(look: u) host_reads(look_at_all) host_writes(change: v)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[i * m + j] = v[i * m + j] * 0.99;
        count();
        if (t % 3 == 1)
            look(u, 2 * m + t % 5);
        if (t % 5 == 2)
            look_at_all(3 * m + t % 4);
        if (t % 7 == 6)
            change(v, m + 1);
    }
    printf("%d\n", counted);
    show_double("u", u, (size_t)n * m);
    show_double("v", v, (size_t)n * m);
    return 0;
}
