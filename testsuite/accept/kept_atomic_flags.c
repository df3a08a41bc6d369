// Another thread sees by an atomic variable that a step is done, reads the grid, and says that it has: these are places where the
// arrays must be there.
// args: 20 9 ; 3 4 ; 5 0
// form: loops that the host keeps: ready = t + 1;
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include "dump.h"

enum { MOST = 40 };

static double u[MOST], v[MOST], seen;
static atomic_int ready, taken;

static void *watch(void *given)
{
    int steps = *(int *)given;
    for (int t = 1; t <= steps; t++) {
        while (ready < t)
            sched_yield();
        for (int i = 0; i < MOST; i++)
            seen += u[i] * (i + t);
        taken = t;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 20), steps = argument(argc, argv, 2, 9);
    pthread_t watcher;
    fill_double(u, MOST, 1);
    fill_double(v, MOST, 2);
    if (pthread_create(&watcher, NULL, watch, &steps) != 0)
        return 1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        for (int i = 1; i < n - 1; i++)
            u[i] = 0.9 * v[i];
        ready = t + 1;
        while (taken < t + 1)
            sched_yield();
    }
    pthread_join(watcher, NULL);
    printf("%a\n", seen);
    show_double("u", u, MOST);
    show_double("v", v, MOST);
    return 0;
}
