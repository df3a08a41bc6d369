/* Memory behind whose last element there is none. To be included before all other headers. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>
#include "dump.h"

/* The first of so many elements; null if there is no such memory. */
static double *new_double_at_edge(int n)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (n * sizeof(double) / page + 1) * page;
    char *memory = mmap(NULL, 2 * pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + pages, pages, PROT_NONE) != 0)
        return NULL;
    return (double *)(memory + pages) - n;
}
