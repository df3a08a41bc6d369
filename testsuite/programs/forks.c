// Children that are forked while another thread of the parent is inside a region.
// cflags: -pthread
#include "dump.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 301, CHILDREN = 12 };

static volatile int is_over;

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

static void work(double *a, double *b)
{
    fill_double(a, N, 1);
    fill_double(b, N, 2);
    blur(N, 200, a, b);
}

static void *work_on(void *count)
{
    static double a[N], b[N];
    for (; !is_over || *(int *)count == 0; ++*(int *)count)
        work(a, b);
    show_double("thread", a, N);
    return NULL;
}

int main(void)
{
    static double a[N], b[N];
    int calls = 0, good = 0;
    pthread_t thread;
    work(a, b);
    if (pthread_create(&thread, NULL, work_on, &calls) != 0)
        return 2;
    for (int k = 0; k < CHILDREN; k++) {
        int status = 1;
        usleep(1500 * k % 7000);
        pid_t child = fork();
        if (child == 0) {
            double c[N], d[N];
            work(c, d);
            exit(memcmp(a, c, sizeof a) == 0 && memcmp(b, d, sizeof b) == 0 ? 0 : 1);
        }
        waitpid(child, &status, 0);
        good += status == 0;
    }
    is_over = 1;
    pthread_join(thread, NULL);
    printf("good children: %d\n", good);
    show_double("parent", a, N);
    return 0;
}
