/* Reads from the environment which call goes wrong, counts calls, and writes the counts at the end of the program. */

#include "verdict.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COUNTERS = 64, MAX_NAME = 64 };

typedef struct {
    const char *name;
    long count;
} counter;

/* The call that goes wrong. */
typedef struct {
    char function[MAX_NAME]; /* "*": any */
    long call;               /* from 1; 0: no fault */
    int repeats;             /* every so many calls */
    verdict verdict;
} fault;

verdict broken_by;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static counter calls[MAX_COUNTERS], living[MAX_COUNTERS];
static long all_calls;
static fault wanted;
static int has_struck, is_lost;
static char last_options[1024];

static counter *find_counter(counter *counters, const char *name)
{
    int i = 0;
    while (counters[i].name && strcmp(counters[i].name, name) != 0)
        i++;
    if (i + 1 == MAX_COUNTERS)
        abort();
    counters[i].name = name;
    return &counters[i];
}

static fault_mode read_mode(const char *text)
{
    static const char *const names[] = {"none", "instead", "after", "lost", "event", "sticky", "delay", "late"};
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
        if (strcmp(names[i], text) == 0)
            return (fault_mode)i;
    fprintf(stderr, "faults: no mode is called %s\n", text);
    abort();
}

/* A wish that is misspelt ends the program: a fault that never strikes would prove nothing. */
static fault read_wish(const char *wish)
{
    fault read = {{0}, 0, 0, {FAULT_NONE, CL_SUCCESS}};
    char mode[16], plus[2] = "";
    int error;
    if (!wish || !*wish)
        return read;
    if (sscanf(wish, "%63[^:]:%ld:%15[^:]:%d", read.function, &read.call, mode, &error) != 4 &&
        sscanf(wish, "%63[^:]:%ld%1[+]:%15[^:]:%d", read.function, &read.call, plus, mode, &error) != 5) {
        fprintf(stderr, "faults: FUNCTION:N:MODE:ERROR expected: %s\n", wish);
        abort();
    }
    read.repeats = plus[0] == '+';
    read.verdict.mode = read_mode(mode);
    read.verdict.error = error;
    return read;
}

void faults_set(const char *wish)
{
    wanted = read_wish(wish);
    memset(calls, 0, sizeof calls);
    memset(&broken_by, 0, sizeof broken_by);
    all_calls = 0;
    has_struck = is_lost = 0;
}

int faults_has_struck(void)
{
    return has_struck;
}

static int is_due(long count)
{
    return wanted.repeats ? count % wanted.call == 0 : count == wanted.call;
}

/* "*" stands for any function of OpenCL; a lost device leaves the host's memory alone. */
static int strikes(const char *function, int is_opencl, long count)
{
    if (wanted.call == 0)
        return 0;
    if (is_opencl && is_lost)
        return 1;
    if (strcmp(wanted.function, "*") == 0)
        return is_opencl && is_due(all_calls);
    return strcmp(wanted.function, function) == 0 && is_due(count);
}

verdict judge(const char *function)
{
    const verdict spared = {FAULT_NONE, CL_SUCCESS};
    int is_opencl = strcmp(function, "malloc") != 0;
    verdict given;
    long count;
    pthread_mutex_lock(&mutex);
    count = ++find_counter(calls, function)->count;
    all_calls += is_opencl;
    given = strikes(function, is_opencl, count) ? wanted.verdict : spared;
    has_struck |= given.mode != FAULT_NONE;
    if (given.mode == FAULT_EVENT || given.mode == FAULT_STICKY)
        broken_by = given;
    if (given.mode == FAULT_LOST) {
        is_lost = 1;
        given.mode = FAULT_INSTEAD;
    }
    pthread_mutex_unlock(&mutex);
    return given;
}

void note_options(const char *options)
{
    pthread_mutex_lock(&mutex);
    snprintf(last_options, sizeof last_options, "%s", options);
    pthread_mutex_unlock(&mutex);
}

void count_living(const char *kind, int change)
{
    pthread_mutex_lock(&mutex);
    find_counter(living, kind)->count += change;
    pthread_mutex_unlock(&mutex);
}

int find_pretence(const char *limit, unsigned long long *value)
{
    const char *at = getenv("FAULTS_DEVICE");
    size_t length = strlen(limit);
    for (; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, limit, length) == 0 && at[length] == '=') {
            *value = strtoull(at + length + 1, NULL, 10);
            return 1;
        }
    return 0;
}

static void lock(void)
{
    pthread_mutex_lock(&mutex);
}

static void unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

/* A child must not find the mutex locked by a thread that it does not have. */
__attribute__((constructor)) static void begin(void)
{
    pthread_atfork(lock, unlock, unlock);
    wanted = read_wish(getenv("FAULTS"));
}

static void write_counters(FILE *file, const char *title, const counter *counters)
{
    for (; counters->name; counters++)
        fprintf(file, "%s %s %ld\n", title, counters->name, counters->count);
}

__attribute__((destructor)) static void write_counts(void)
{
    const char *path = getenv("FAULTS_COUNTS");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    write_counters(file, "calls", calls);
    write_counters(file, "living", living);
    fprintf(file, "struck fault %d\n", has_struck);
    fprintf(file, "options %s\n", last_options);
    fclose(file);
}
