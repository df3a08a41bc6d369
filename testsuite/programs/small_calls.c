// A sweep that is called very often, from as many threads as asked for, each with arrays of its own: [n [calls [threads [steps]]]].
// cflags: -pthread
#include "dump.h"

#include <pthread.h>

enum { MOST_THREADS = 8 };

static int n, calls, threads, steps;

static void sweep(int size, int times, double *restrict a, double *restrict b)
{
#pragma stencil
    for (int t = 0; t < times; t++) {
        for (int i = 1; i < size - 1; i++)
            for (int j = 1; j < size - 1; j++)
                b[i * size + j] = 0.25 * (a[(i - 1) * size + j] + a[(i + 1) * size + j] + a[i * size + j - 1] + a[i * size + j + 1]);
        for (int i = 1; i < size - 1; i++)
            for (int j = 1; j < size - 1; j++)
                a[i * size + j] = b[i * size + j];
    }
}

static void *work(void *arrays)
{
    double *a = arrays;
    for (int c = 0; c < calls; c++)
        sweep(n, steps, a, a + n * n);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t running[MOST_THREADS];
    double *arrays;
    n = argument(argc, argv, 1, 10);
    calls = argument(argc, argv, 2, 1000);
    threads = argument(argc, argv, 3, 1);
    steps = argument(argc, argv, 4, 1);
    arrays = new_double((size_t)threads * 2 * n * n, 1);
    for (int k = 0; k < threads; k++)
        if (pthread_create(&running[k], NULL, work, arrays + k * 2 * n * n) != 0)
            return 2;
    for (int k = 0; k < threads; k++)
        pthread_join(running[k], NULL);
    show_double("arrays", arrays, (size_t)threads * 2 * n * n);
    free(arrays);
    return 0;
}
