// Two regions called very often, with sizes that change; tells how much the process grows in two fifths of the calls, and in
// the next two. An alarm rings all the while.
#include "dump.h"

#include <dirent.h>
#include <malloc.h>
#include <signal.h>
#include <sys/time.h>

static volatile sig_atomic_t alarms;

static void count_alarm(int number)
{
    alarms += number == SIGALRM;
}

static void ring(void)
{
    struct sigaction action;
    struct itimerval every = {{0, 1000}, {0, 1000}};
    memset(&action, 0, sizeof action);
    action.sa_handler = count_alarm;
    if (sigaction(SIGALRM, &action, NULL) != 0 || setitimer(ITIMER_REAL, &every, NULL) != 0)
        exit(2);
}

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

static void drift(int n, int steps, float *a, float *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.75f * a[i] + 0.25f * a[i - 1];
        float *swap = a;
        a = b;
        b = swap;
    }
}

/* Memory that was allocated and not freed, in kB; what is free may hide a leak from the resident memory for long. */
static long heap(void)
{
    struct mallinfo2 info = mallinfo2();
    return (long)((info.uordblks + info.hblkhd) / 1000);
}

/* Resident memory, in kB. */
static long resident(void)
{
    long total = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld %ld", &total, &pages) != 2)
        exit(2);
    fclose(file);
    return 4 * pages;
}

static long descriptors(void)
{
    long count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder != NULL && readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

static void tell_growth(int calls, int call)
{
    static long before[3];
    const long now[3] = {heap(), resident(), descriptors()};
    if (call != calls / 5)
        fprintf(stderr, "growth: %ld kB of heap, %ld kB resident, %ld descriptors\n", now[0] - before[0],
                now[1] - before[1], now[2] - before[2]);
    memcpy(before, now, sizeof now);
}

int main(int argc, char **argv)
{
    enum { N = 1000 };
    int calls = argument(argc, argv, 1, 20);
    double *a = new_double(N, 1), *b = new_double(N, 2);
    float *x = new_float(N, 3), *y = new_float(N, 4);
    ring();
    for (int call = 0; call < calls; call += 2) {
        blur(N - call % 700, 3, a, b);
        drift(call % 900, 1 + call % 4, x, y);
        if (call == calls / 5 || call == calls / 5 * 3)
            tell_growth(calls, call);
    }
    tell_growth(calls, calls);
    printf("alarms: %s\n", alarms > 0 || calls < 1000 ? "some" : "none");
    show_double("a", a, N);
    show_double("b", b, N);
    show_float("x", x, N);
    show_float("y", y, N);
    return 0;
}
