// Members behind sums of pointers to structures, under conditions on data and clauses that count structures.
// args: 13 9 4 ; 5 6 7 ; 3 3 1
#include "dump.h"

struct cell {
    double u, v;
};

static void flow(int n, int m, int steps, struct cell *a, struct cell *b, struct cell (*row)[3])
{
#pragma stencil extent(a[0:n][0:m]) extent(b[0:n][0:m]) extent(row[0:m][0:3])
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                if ((b + i * m + j)->v < 0.25)
                    b[i * m + j].u = 0.5 * (*(a + i * m + j - 1)).u + (a + (i + 1) * m + j)->v - (*(row + j))[2].u;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                (*(a + i * m + j)).u = (b + i * m + j)->u;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 5);
    size_t count = 2 * (size_t)n * m;
    double *a = new_double(count, 1), *b = new_double(count, 2), *row = new_double((size_t)6 * m, 3);
    flow(n, m, steps, (struct cell *)a, (struct cell *)b, (struct cell(*)[3])row);
    show_double("a", a, count);
    show_double("b", b, count);
    return 0;
}
