#include <stdio.h>

/* FNV-1a. */
void stencil_check(const char *name, const void *bytes, unsigned long count)
{
    unsigned long long hash = 14695981039346656037u;
    for (unsigned long i = 0; i < count; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    printf("%s: %lu bytes, %016llx\n", name, count, hash);
    fflush(stdout);
}
