/* What every example needs around its stencil: arguments, memory, starting values, a result that
 * can be compared byte by byte, and the time the nest took. */
#ifndef EXAMPLES_SUPPORT_H
#define EXAMPLES_SUPPORT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

/* The element type: double, or what -DREAL=... says. */
#ifndef REAL
#define REAL double
#endif
typedef REAL real;

/* The argument at `position` as a number of at least `least`, or `fallback` when it is not given. */
static inline int argument(int argc, char **argv, int position, int fallback, int least)
{
    if (position >= argc)
        return fallback;
    char *end;
    long value = strtol(argv[position], &end, 10);
    if (end == argv[position] || *end != '\0' || value < least || value > 1000000000) {
        fprintf(stderr, "%s: argument %d is '%s', a number of at least %d is wanted\n", argv[0],
                position, argv[position], least);
        exit(2);
    }
    return (int)value;
}

/* Memory for `count` elements of `size` bytes; the program ends when there is none. */
static inline void *allocate(size_t count, size_t size)
{
    void *memory = malloc(count * size);
    if (memory == NULL) {
        fprintf(stderr, "no memory for %zu elements of %zu bytes\n", count, size);
        exit(2);
    }
    return memory;
}

/* A value in [0, 1) that differs from its neighbours in every direction. */
static inline double ripple(unsigned seed, unsigned z, unsigned y, unsigned x)
{
    unsigned mixed = seed * 7919u + z * 523u + y * 131u + x * 37u + (y + 3u * z) * x * 11u;
    return (mixed % 1013u) / 1013.0;
}

/* Fills a[planes][rows][columns] with values in [0, 1) inside and in [1.5, 2) on its border. A
 * dimension of one element has no border, so a plane is 1 x rows x columns, a line 1 x 1 x columns. */
static inline void fill(real *a, int planes, int rows, int columns, unsigned seed)
{
    for (int z = 0; z < planes; z++)
        for (int y = 0; y < rows; y++)
            for (int x = 0; x < columns; x++) {
                int border = (planes > 1 && (z == 0 || z == planes - 1)) ||
                             (rows > 1 && (y == 0 || y == rows - 1)) ||
                             (columns > 1 && (x == 0 || x == columns - 1));
                double value = ripple(seed, (unsigned)z, (unsigned)y, (unsigned)x);
                *a++ = (real)(border ? 1.5 + value / 2 : value);
            }
}

/* 64-bit FNV-1a (Fowler, Noll, Vo). */
static inline uint64_t hash_bytes(const void *bytes, size_t count)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

/* Element `i` of an array of floats or doubles, told apart by their size. */
static inline double element(const void *array, size_t i, size_t size)
{
    return size == sizeof(float) ? ((const float *)array)[i] : ((const double *)array)[i];
}

/* Prints the hash of all bytes, the extremes and five samples of an array of floats or doubles. */
static inline void report(const char *name, const void *array, size_t count, size_t size)
{
    double low = element(array, 0, size), high = low;
    for (size_t i = 1; i < count; i++) {
        double value = element(array, i, size);
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    printf("%s: %016llx min %a max %a\n", name,
           (unsigned long long)hash_bytes(array, count * size), low, high);
    for (size_t k = 0; k < 5; k++) {
        size_t i = (count - 1) * (2 * k + 1) / 10;
        printf("  [%zu] %a\n", i, element(array, i, size));
    }
}

/* Seconds since some fixed moment. gettimeofday, because it is declared in strict C99 mode too. */
static inline double seconds(void)
{
    struct timeval now;
    gettimeofday(&now, NULL);
    return (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
}

/* Says on stderr how long a run of some size took: it differs from run to run, stdout must not. */
static inline void report_time(double start, double points, double steps)
{
    double elapsed = seconds() - start;
    if (points * steps >= 1e7)
        fprintf(stderr, "%.4f s, %.3f GCells/s\n", elapsed, 1e-9 * points * steps / elapsed);
}

#endif
