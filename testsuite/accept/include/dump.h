/* Fills arrays with repeatable data and prints what memory holds, for programs
   whose output is compared byte for byte. */
#ifndef DUMP_H
#define DUMP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The k-th argument of the command line, or `otherwise` when it is not there. */
static inline int argument(int argc, char **argv, int k, int otherwise)
{
    return k < argc ? atoi(argv[k]) : otherwise;
}

/* A value in [-0.5, 0.5) with many bits set; the same for the same key. */
static inline double noise(long key)
{
    uint32_t x = (uint32_t)key * 2654435761u + 12345u;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    x *= 3266489917u;
    x ^= x >> 16;
    return (double)x / 4294967296.0 - 0.5;
}

static inline void fill_double(double *a, size_t count, int seed)
{
    for (size_t k = 0; k < count; k++)
        a[k] = noise((long)k + 1000003L * seed);
}

static inline void fill_float(float *a, size_t count, int seed)
{
    for (size_t k = 0; k < count; k++)
        a[k] = (float)noise((long)k + 1000003L * seed);
}

static inline void fill_int(int *a, size_t count, int seed)
{
    for (size_t k = 0; k < count; k++)
        a[k] = (int)(1000.0 * noise((long)k + 1000003L * seed));
}

static inline double *new_double(size_t count, int seed)
{
    double *a = malloc((count + 1) * sizeof *a);
    if (a == NULL)
        exit(2);
    fill_double(a, count, seed);
    return a;
}

static inline float *new_float(size_t count, int seed)
{
    float *a = malloc((count + 1) * sizeof *a);
    if (a == NULL)
        exit(2);
    fill_float(a, count, seed);
    return a;
}

static inline int *new_int(size_t count, int seed)
{
    int *a = malloc((count + 1) * sizeof *a);
    if (a == NULL)
        exit(2);
    fill_int(a, count, seed);
    return a;
}

/* FNV-1a, 64 bits; `hash` is the value so far. */
static inline uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t k = 0; k < size; k++)
        hash = (hash ^ bytes[k]) * 1099511628211u;
    return hash;
}

#define HASH_START 14695981039346656037u

static inline void show_bytes(const char *name, const void *data, size_t size)
{
    printf("%s: %zu bytes, %016llx\n", name, size,
           (unsigned long long)hash_bytes(HASH_START, data, size));
}

/* All NaNs count as one: C does not say which operand's sign and payload a sum keeps. */
static inline void show_double(const char *name, const double *a, size_t count)
{
    uint64_t hash = HASH_START;
    size_t stride = count / 5 + 1;
    for (size_t k = 0; k < count; k++) {
        if (a[k] != a[k])
            hash = hash_bytes(hash, "NaN", 3);
        else
            hash = hash_bytes(hash, &a[k], sizeof a[k]);
    }
    printf("%s: %zu doubles, %016llx:", name, count, (unsigned long long)hash);
    for (size_t k = 0; k < count; k += stride) {
        if (a[k] != a[k])
            printf(" NaN");
        else
            printf(" %a", a[k]);
    }
    printf("\n");
}

static inline void show_float(const char *name, const float *a, size_t count)
{
    uint64_t hash = HASH_START;
    size_t stride = count / 5 + 1;
    for (size_t k = 0; k < count; k++) {
        if (a[k] != a[k])
            hash = hash_bytes(hash, "NaN", 3);
        else
            hash = hash_bytes(hash, &a[k], sizeof a[k]);
    }
    printf("%s: %zu floats, %016llx:", name, count, (unsigned long long)hash);
    for (size_t k = 0; k < count; k += stride) {
        if (a[k] != a[k])
            printf(" NaN");
        else
            printf(" %a", (double)a[k]);
    }
    printf("\n");
}

static inline void show_int(const char *name, const int *a, size_t count)
{
    size_t stride = count / 5 + 1;
    printf("%s: %zu ints, %016llx:", name, count,
           (unsigned long long)hash_bytes(HASH_START, a, count * sizeof *a));
    for (size_t k = 0; k < count; k += stride)
        printf(" %d", a[k]);
    printf("\n");
}

#endif
