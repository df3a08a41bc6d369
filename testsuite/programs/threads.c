// Regions called from many threads at once, of OpenMP and of POSIX.
// cflags: -fopenmp -pthread
#include "dump.h"

#include <pthread.h>

enum { TASKS = 24, N = 211, CALLS = 8 };

static void blur(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.3 * (a[i - 1] + a[i] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}

static void drift(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.75 * a[i] + 0.25 * a[i - 1];
        double *swap = a;
        a = b;
        b = swap;
    }
}

static double a[TASKS][N], b[TASKS][N];

/* The work of one thread, on arrays of its own. */
static void *work(void *number)
{
    int task = *(int *)number;
    for (int call = 0; call < CALLS; call++) {
        blur(N - task, 1 + call, a[task], b[task]);
        drift(N - 2 * task, 1 + task % 5, a[task], b[task]);
    }
    return NULL;
}

static void fill(void)
{
    for (int task = 0; task < TASKS; task++) {
        fill_double(a[task], N, task);
        fill_double(b[task], N, -task);
    }
}

int main(void)
{
    pthread_t threads[TASKS];
    int numbers[TASKS];
    for (int task = 0; task < TASKS; task++)
        numbers[task] = task;
    fill();
#pragma omp parallel for num_threads(8) schedule(dynamic)
    for (int task = 0; task < TASKS; task++)
        work(&numbers[task]);
    show_double("OpenMP, a", &a[0][0], TASKS * N);
    show_double("OpenMP, b", &b[0][0], TASKS * N);
    fill();
    for (int task = 0; task < TASKS; task++)
        if (pthread_create(&threads[task], NULL, work, &numbers[task]) != 0)
            return 2;
    for (int task = 0; task < TASKS; task++)
        pthread_join(threads[task], NULL);
    show_double("POSIX, a", &a[0][0], TASKS * N);
    show_double("POSIX, b", &b[0][0], TASKS * N);
    return 0;
}
