// Functions that cannot be seen, of which clauses say what they do to the arrays between steps.
// args: 14 11 20 ; 9 9 4
// form: loops that the host keeps: #pragma stencil pure(count) host_reads(look: u) host_reads(peek)
#include "dump.h"

static const double *first, *second;
static int counted;

// Calls through pointers: nothing is known of what they call.
static void add_one(void) { counted++; }
static void show_first(const double *u, int k) { printf("%.17g\n", u[k]); }
static void show_both(int k) { printf("%.17g %.17g\n", first[k], second[k]); }
static void alter_one(double *v, int k) { v[k] += 1; }
static void (*volatile adds)(void) = add_one;
static void (*volatile shows)(const double *u, int k) = show_first;
static void (*volatile peeks)(int k) = show_both;
static void (*volatile alters)(double *v, int k) = alter_one;
static void count(void) { adds(); }
static void look(const double *u, int k) { shows(u, k); }
static void peek(int k) { peeks(k); }
static void alter(double *v, int k) { alters(v, k); }

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 14), m = argument(argc, argv, 2, 11), steps = argument(argc, argv, 3, 20);
    double *u = new_double((size_t)n * m, 1), *v = new_double((size_t)n * m, 2);
    first = u;
    second = v;
#pragma stencil pure(count) host_reads(look: u) host_reads(peek) \
    host_writes(alter: v)
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
            peek(3 * m + t % 4);
        if (t % 7 == 6)
            alter(v, m + 1);
    }
    printf("%d\n", counted);
    show_double("u", u, (size_t)n * m);
    show_double("v", v, (size_t)n * m);
    return 0;
}
