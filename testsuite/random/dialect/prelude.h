#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Elements before and behind each array that a pointer reaches. */
#define GUARD 4

#define FILL_BY(type, array, count, seed, value)                       \
    for (size_t fill_k = 0; fill_k < (count); fill_k++)                \
        (array)[fill_k] = (type)(value(((int)(fill_k * 7 + (seed) * 5)) % 23 - 9))
#define FILL_PLAIN(x) (x)
#define FILL_HALF(x) ((x) * 0.5)
#define FILL(type, array, count, seed) FILL_BY(type, array, count, seed, FILL_PLAIN)
#define FILL_REAL(type, array, count, seed) FILL_BY(type, array, count, seed, FILL_HALF)

/* All NaNs count as one. */
#define PRINT_REAL(x) ((x) != (x) ? (void)printf(" nan") : (void)printf(" %a", (double)(x)))
#define PRINT_INT(x) ((void)printf(" %lld", (long long)(x)))
#define SHOW_BY(type, array, count, print)                             \
    do {                                                               \
        const type *show_array = (const type *)(const void *)(array);  \
        printf(#array ":");                                            \
        for (size_t show_k = 0; show_k < (count); show_k++)            \
            print(show_array[show_k]);                                 \
        printf("\n");                                                  \
    } while (0)
#define SHOW_REALS(type, array, count) SHOW_BY(type, array, count, PRINT_REAL)
#define SHOW_INTS(type, array, count) SHOW_BY(type, array, count, PRINT_INT)
#define SHOW_REAL(x) (printf(#x ":"), PRINT_REAL(x), (void)printf("\n"))
#define SHOW_INT(x) (printf(#x ":"), PRINT_INT(x), (void)printf("\n"))

/* The distance of a pointer from the array that it points into. */
#define SHOW_WITHIN(pointer, array)                                                                    \
    do {                                                                                               \
        if ((uintptr_t)(pointer) >= (uintptr_t)&(array) && (uintptr_t)(pointer) < (uintptr_t)(&(array) + 1)) \
            printf(" " #array "+%ld", (long)((uintptr_t)(pointer) - (uintptr_t)&(array)));             \
    } while (0)

/* Runs a unit if the command line names none or this one. */
#define RUN(number)                                                    \
    do {                                                               \
        int run_k, run_is_wanted = argc == 1;                          \
        for (run_k = 1; run_k < argc; run_k++)                         \
            run_is_wanted |= atoi(argv[run_k]) == (number);            \
        if (run_is_wanted) {                                           \
            printf("== %d\n", (number));                               \
            fflush(stdout);                                            \
            run_##number();                                            \
            fflush(stdout);                                            \
        }                                                              \
    } while (0)
