// A program that ends with the last of its threads: `main`, which works itself (argument 0), waits for a thread that does (1),
// or leaves it behind (2), and then calls pthread_exit.
// cflags: -pthread
#include "dump.h"

#include <pthread.h>
#include <unistd.h>

enum { N = 101 };

static double a[N], b[N];

static void *work(void *unused)
{
    fill_double(a, N, 1);
#pragma stencil
    for (int i = 1; i < N - 1; i++)
        b[i] = 0.3 * (a[i - 1] + a[i] + a[i + 1]);
    show_double("b", b, N);
    fflush(stdout);
    return unused;
}

/* Goes on when the device is not needed any more, and nobody but it is left. */
static void *work_long(void *unused)
{
    work(NULL);
    sleep(1);
    puts("the last thread");
    return unused;
}

static void say_goodbye(void)
{
    puts("the end");
}

int main(int argc, char **argv)
{
    int way = argument(argc, argv, 1, 0);
    pthread_t thread;
    atexit(say_goodbye);
    if (way == 0)
        work(NULL);
    else if (pthread_create(&thread, NULL, way == 1 ? work : work_long, NULL) != 0)
        return 2;
    if (way == 1)
        pthread_join(thread, NULL);
    pthread_exit(NULL);
}
