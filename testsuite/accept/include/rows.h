/* Rows that are found through a table of pointers. */
#ifndef ROWS_H
#define ROWS_H

#include "dump.h"

/* What no row is at. */
#define NO_ROW ((void *)(uintptr_t)8)

/* A table of `n` rows of `m` elements, each by itself. */
static inline double **new_rows(int n, int m, int seed)
{
    double **rows = malloc((size_t)(n + 1) * sizeof *rows);
    if (rows == NULL)
        exit(2);
    for (int i = 0; i < n; i++)
        rows[i] = new_double((size_t)m, seed + 7 * i);
    return rows;
}

/* One line for all rows. */
static inline void show_rows(const char *name, double *const *rows, int n, int m)
{
    uint64_t hash = HASH_START;
    for (int i = 0; i < n; i++)
        hash = hash_bytes(hash, rows[i], (size_t)m * sizeof **rows);
    printf("%s: %d rows of %d doubles, %016llx: %a %a\n", name, n, m, (unsigned long long)hash, rows[n / 2][m / 2],
           rows[n - 1][0]);
}

static inline void free_rows(double **rows, int n)
{
    for (int i = 0; i < n; i++)
        free(rows[i]);
    free(rows);
}

#endif
