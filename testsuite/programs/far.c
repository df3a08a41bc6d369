// Rows that lie further apart than 32 bits count, in memory that is hardly touched; and loops that start beyond them.
// cflags: -D_GNU_SOURCE
#include "dump.h"

#include <sys/mman.h>

enum { ROWS = 5, COLUMNS = 37 };

/* Elements from one row to the next. */
static const long DISTANCE = (1L << 31) + 12345;

static void *reserve(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        exit(2);
    return memory;
}

static void age(long n, long m, long lda, int steps, unsigned char *a)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (long i = 0; i < n - 1; i++)
            for (long j = 0; j < m - 1; j++)
                a[i * lda + j] = (unsigned char)(a[i * lda + j] + 3 * a[(i + 1) * lda + j] + a[i * lda + j + 1]);
}

static void smooth(long n, long m, long lda, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                b[i * lda + j] = 0.2 * (a[i * lda + j] + a[i * lda + j - 1] + a[i * lda + j + 1]
                                        + a[(i - 1) * lda + j] + a[(i + 1) * lda + j]);
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                a[i * lda + j] = b[i * lda + j];
    }
}

static void shift(long first, long end, int steps, unsigned char *a)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (long i = first; i < end; i++)
            a[i] = (unsigned char)(a[i + 1] + 1);
}

int main(void)
{
    const size_t elements = (size_t)DISTANCE * ROWS;
    unsigned char *bytes = reserve(elements);
    double *a = reserve(elements * sizeof *a), *b = reserve(elements * sizeof *b);
    for (long i = 0; i < ROWS; i++)
        for (long j = 0; j < COLUMNS; j++) {
            bytes[i * DISTANCE + j] = (unsigned char)(i * 7 + j * 31);
            a[i * DISTANCE + j] = noise(i * COLUMNS + j);
            b[i * DISTANCE + j] = noise(-i * COLUMNS - j);
        }
    age(ROWS, COLUMNS, DISTANCE, 4, bytes);
    smooth(ROWS, COLUMNS, DISTANCE, 5, a, b);
    shift(DISTANCE + 2, DISTANCE + 22, 3, bytes);
    for (long i = 0; i < ROWS; i++) {
        show_bytes("bytes", bytes + i * DISTANCE, COLUMNS);
        show_double("a", a + i * DISTANCE, COLUMNS);
        show_double("b", b + i * DISTANCE, COLUMNS);
    }
    return 0;
}
