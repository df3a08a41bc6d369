#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Elements before and behind each array that a pointer reaches. */
#define GUARD 4

/* Kinds of elements: signed, unsigned, and real numbers. */
enum { SIGNED_CELL, UNSIGNED_CELL, REAL_CELL };

static long long read_integer(const unsigned char *cell, size_t size, int kind)
{
    int8_t one;
    int16_t two;
    int32_t four;
    int64_t eight = 0;
    memcpy(&eight, cell, size);
    if (kind == UNSIGNED_CELL || size == 8)
        return eight;
    one = (int8_t)eight;
    two = (int16_t)eight;
    four = (int32_t)eight;
    return size == 1 ? one : size == 2 ? two : four;
}

static double read_real(const unsigned char *cell, size_t size)
{
    float single;
    double number;
    if (size == sizeof number)
        return memcpy(&number, cell, size), number;
    return memcpy(&single, cell, size), single;
}

/* All NaNs count as one. */
static void show_cells(const char *name, const void *array, size_t count, size_t size, int kind)
{
    const unsigned char *cell = array;
    printf("%s:", name);
    for (size_t k = 0; k < count; k++, cell += size) {
        double number = kind == REAL_CELL ? read_real(cell, size) : 0;
        if (kind != REAL_CELL)
            printf(" %lld", read_integer(cell, size, kind));
        else if (number != number)
            printf(" nan");
        else
            printf(" %a", number);
    }
    printf("\n");
}

static void fill_cells(void *array, size_t count, size_t size, int kind, int seed)
{
    unsigned char *cell = array;
    for (size_t k = 0; k < count; k++, cell += size) {
        int64_t number = (int64_t)((k * 7 + (size_t)seed * 5) % 23) - 9;
        double real = (double)number * 0.5;
        float single = (float)real;
        if (kind != REAL_CELL)
            memcpy(cell, &number, size);
        else
            memcpy(cell, size == 4 ? (void *)&single : (void *)&real, size);
    }
}

/* The distance of a pointer from the array that it points into. */
static void show_within(const void *pointer, const char *name, const void *array, size_t bytes)
{
    uintptr_t place = (uintptr_t)pointer, first = (uintptr_t)array;
    if (place >= first && place < first + bytes)
        printf(" %s+%ld", name, (long)(place - first));
}

#define FILL(type, kind, array, count, seed) fill_cells(array, count, sizeof(type), kind, seed)
#define FILL_BOOL(array, count, seed)                     \
    for (size_t fill_k = 0; fill_k < (count); fill_k++)   \
        ((_Bool *)(array))[fill_k] = (fill_k * 7 + (seed) * 5) % 23 != 9
#define SHOW(type, kind, array, count) show_cells(#array, array, count, sizeof(type), kind)
#define SHOW_INT(x) ((void)printf(#x ": %lld\n", (long long)(x)))
#define SHOW_REAL(x) ((x) != (x) ? (void)printf(#x ": nan\n") : (void)printf(#x ": %a\n", (double)(x)))
#define SHOW_WITHIN(pointer, array) show_within(pointer, #array, &(array), sizeof(array))

/* Runs a unit if the command line names none or this one. */
static int is_wanted(int argc, char **argv, int number)
{
    if (argc == 1)
        return 1;
    for (int k = 1; k < argc; k++)
        if (atoi(argv[k]) == number)
            return 1;
    return 0;
}

static void run_unit(void (*unit)(void), int number)
{
    printf("== %d\n", number);
    fflush(stdout);
    unit();
    fflush(stdout);
}

#define RUN(number) is_wanted(argc, argv, number) ? run_unit(run_##number, number) : (void)0
