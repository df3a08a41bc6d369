// An array of more than 2^31 elements, so that the kernels themselves must count beyond 32 bits.
#include "dump.h"

static void age(int n, int m, int steps, unsigned char *a)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++)
                a[(long)i * m + j] = (unsigned char)(a[(long)i * m + j] + 3 * a[(long)(i + 1) * m + j]
                                                     + a[(long)i * m + j + 1]);
}

int main(void)
{
    enum { ROWS = 65601, COLUMNS = 32768, STEPS = 3 };
    const size_t size = (size_t)ROWS * COLUMNS;
    unsigned char *a = malloc(size);
    uint64_t hash = HASH_START;
    if (a == NULL)
        return 2;
    for (size_t k = 0; k < size; k++)
        a[k] = (unsigned char)(k * 2654435761u >> 13);
    age(ROWS, COLUMNS, STEPS, a);
    for (size_t k = 0; k + sizeof hash <= size; k += sizeof hash) {
        uint64_t word;
        memcpy(&word, a + k, sizeof word);
        hash = (hash ^ word) * 1099511628211u;
    }
    printf("%zu bytes: %016llx\n", size, (unsigned long long)hash);
    return 0;
}
