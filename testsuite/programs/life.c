// A region called at the moments of a process's life that the arguments name: in a constructor, in `main`, in a child,
// in handlers that run at the end, in a destructor.
#include "dump.h"

#include <sys/wait.h>
#include <unistd.h>

enum { N = 101 };

static double a[N], b[N];

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

static void work(const char *moment)
{
    fill_double(a, N, 1);
    fill_double(b, N, 2);
    blur(N, 7, a, b);
    show_double(moment, a, N);
    show_double(moment, b, N);
    fflush(stdout);
}

/* Whether the variable MOMENTS names the moment. */
static int is_wanted(const char *moment)
{
    const char *wanted = getenv("MOMENTS");
    return wanted != NULL && strstr(wanted, moment) != NULL;
}

static void work_if_wanted(const char *moment)
{
    if (is_wanted(moment))
        work(moment);
}

__attribute__((constructor)) static void before_main(void)
{
    work_if_wanted("constructor");
}

__attribute__((destructor)) static void after_main(void)
{
    work_if_wanted("destructor");
}

static void at_end_before_work(void)
{
    work_if_wanted("handler-of-before");
}

static void at_end_after_work(void)
{
    work_if_wanted("handler-of-after");
}

static void fork_and_work(void)
{
    int status = 1;
    pid_t child = fork();
    if (child == 0) {
        work("child");
        exit(0);
    }
    waitpid(child, &status, 0);
    printf("status of the child: %d\n", status);
    fflush(stdout);
}

int main(void)
{
    atexit(at_end_before_work);
    if (is_wanted("early-fork"))
        fork_and_work();
    work_if_wanted("main");
    atexit(at_end_after_work);
    if (is_wanted("late-fork"))
        fork_and_work();
    work_if_wanted("parent");
    return 0;
}
