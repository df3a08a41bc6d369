/* Memory with guard elements around it for programs of all element types, filled with ordinary or with special values,
   and printed whole. */
#ifndef MEMORY_H
#define MEMORY_H

#include <float.h>
#include <math.h>

#include "dump.h"

enum { NOISE, SPECIAL };

/* Elements before and behind each allocation that no nest may change. */
#define GUARD 8

static inline double real_value(long key, int values, double least, double largest)
{
    double x = noise(key);
    if (values == NOISE)
        return x;
    switch ((int)(24.0 * (noise(key + 77) + 0.5))) {
    case 0: return 0.0;
    case 1: return -0.0;
    case 2: return INFINITY;
    case 3: return -INFINITY;
    case 4: return NAN;
    case 5: return least / 8.0;
    case 6: return -least / 64.0;
    case 7: return least * x;
    case 8: return largest * x;
    case 9: return -largest;
    default: return x;
    }
}

static inline double double_value(long key, int values)
{
    return real_value(key, values, DBL_MIN, DBL_MAX);
}

static inline float float_value(long key, int values)
{
    return (float)real_value(key, values, FLT_MIN, FLT_MAX);
}


/* Integers that are summed as int or long stay small; the others take all values. */
#define DEFINE_INTEGER_VALUE(type, name, range)                      \
    static inline type name##_value(long key, int values)            \
    {                                                                \
        double x = values == SPECIAL ? 0.999 * noise(key) : noise(key); \
        return (type)(long)(range * x);                              \
    }

DEFINE_INTEGER_VALUE(int, int, 2000.0)
DEFINE_INTEGER_VALUE(long, long, 2000.0)
DEFINE_INTEGER_VALUE(short, short, 65000.0)
DEFINE_INTEGER_VALUE(signed char, char, 255.0)
DEFINE_INTEGER_VALUE(unsigned char, unsigned_char, 510.0)
DEFINE_INTEGER_VALUE(unsigned short, unsigned_short, 131000.0)
DEFINE_INTEGER_VALUE(unsigned, unsigned, 8e9)
DEFINE_INTEGER_VALUE(unsigned long, unsigned_long, 1.8e19)

/* All NaNs count as one: C does not say which operand's sign and payload a sum keeps. */
static inline int is_not_a_number(double x)
{
    return x != x;
}

#define DEFINE_MEMORY(type, name)                                                            \
    static inline void fill_memory_##name(type *a, size_t count, int seed, int values)       \
    {                                                                                        \
        for (size_t k = 0; k < count; k++)                                                   \
            a[k] = name##_value((long)k + 1000003L * seed, values);                          \
    }                                                                                        \
    static inline type *new_memory_##name(size_t count, int seed, int values)                \
    {                                                                                        \
        type *a = malloc((count + 2 * GUARD) * sizeof *a);                                   \
        if (a == NULL)                                                                       \
            exit(2);                                                                         \
        fill_memory_##name(a, count + 2 * GUARD, seed, values);                              \
        return a + GUARD;                                                                    \
    }                                                                                        \
    static inline void show_memory_##name(const char *title, const type *a, size_t count)    \
    {                                                                                        \
        uint64_t hash = HASH_START;                                                          \
        size_t stride = count / 8 + 1;                                                       \
        for (size_t k = 0; k < count; k++) {                                                 \
            if (is_not_a_number((double)a[k]))                                               \
                hash = hash_bytes(hash, "NaN", 3);                                           \
            else                                                                             \
                hash = hash_bytes(hash, &a[k], sizeof a[k]);                                 \
        }                                                                                    \
        printf("%s: %zu, %016llx:", title, count, (unsigned long long)hash);                 \
        for (size_t k = 0; k < count; k += stride) {                                         \
            if (is_not_a_number((double)a[k]))                                               \
                printf(" NaN");                                                              \
            else                                                                             \
                printf(" %a", (double)a[k]);                                                 \
        }                                                                                    \
        printf("\n");                                                                        \
    }                                                                                        \
    static inline void show_guarded_##name(const char *title, const type *a, size_t count)   \
    {                                                                                        \
        show_memory_##name(title, a - GUARD, count + 2 * GUARD);                             \
    }                                                                                        \
    static inline void later_##name(const char *title, const void *a, size_t count)          \
    {                                                                                        \
        show_memory_##name(title, a, count);                                                 \
    }

DEFINE_MEMORY(double, double)
DEFINE_MEMORY(float, float)
DEFINE_MEMORY(int, int)
DEFINE_MEMORY(long, long)
DEFINE_MEMORY(short, short)
DEFINE_MEMORY(signed char, char)
DEFINE_MEMORY(unsigned char, unsigned_char)
DEFINE_MEMORY(unsigned short, unsigned_short)
DEFINE_MEMORY(unsigned, unsigned)
DEFINE_MEMORY(unsigned long, unsigned_long)

/* What the program shows when it ends, wherever that is. */
static struct {
    void (*show)(const char *title, const void *a, size_t count);
    const char *title;
    const void *memory;
    size_t count;
} shown_at_end[16];
static int shown_count;

static inline void show_all_at_end(void)
{
    for (int k = 0; k < shown_count; k++)
        shown_at_end[k].show(shown_at_end[k].title, shown_at_end[k].memory, shown_at_end[k].count);
}

static inline void show_at_end(void (*show)(const char *, const void *, size_t), const char *title, const void *memory,
                               size_t count)
{
    if (shown_count == 0 && atexit(show_all_at_end) != 0)
        exit(2);
    shown_at_end[shown_count].show = show;
    shown_at_end[shown_count].title = title;
    shown_at_end[shown_count].memory = memory;
    shown_at_end[shown_count++].count = count;
}

/* Tables of pointers to rows in `memory`, which has them from the last to the first; one level for each extent but the last. */
static inline void *new_tables(void *memory, int levels, const size_t *extents, size_t size)
{
    size_t below = size;
    char *table;
    if (levels == 1)
        return memory;
    for (int d = 1; d < levels; d++)
        below *= extents[d];
    table = malloc((extents[0] + 1) * sizeof(void *));
    if (table == NULL)
        exit(2);
    for (size_t i = 0; i < extents[0]; i++) {
        void *row = new_tables((char *)memory + (extents[0] - 1 - i) * below, levels - 1, extents + 1, size);
        memcpy(table + i * sizeof row, &row, sizeof row);
    }
    return table;
}

#endif
