/* Which calls of OpenCL go wrong, and how. `README.md` of the test suite explains the variables. */

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

typedef enum {
    FAULT_NONE,
    FAULT_INSTEAD, /* the call does nothing and returns the error */
    FAULT_AFTER,   /* the call does its work and returns the error all the same */
    FAULT_LOST,    /* as `instead`, and so do all calls of all functions from then on */
    FAULT_EVENT,   /* the command and all behind it do nothing, and only their events tell */
    FAULT_STICKY,  /* the same, and whoever waits for one of them gets the error */
    FAULT_DELAY,   /* the call takes long */
    FAULT_LATE     /* the call returns at once, but its command and all behind it start late */
} fault_mode;

typedef struct {
    fault_mode mode;
    cl_int error;
} verdict;

/* The verdict `event` or `sticky` that made a command fail on the device; all behind it fail as well. */
extern verdict broken_by;

/* Counts a call of the function and says what becomes of it. */
verdict judge(const char *function);

/* Asks for a fault, "FUNCTION:N:MODE:ERROR", and counts anew; null or empty: for none. */
void faults_set(const char *wish);

/* Whether the fault has struck. */
int faults_has_struck(void);

/* Keeps the options of a build for the counts. */
void note_options(const char *options);

/* Adds to the number of living objects of a kind. */
void count_living(const char *kind, int change);

/* 1 and its value if the device shall pretend to have another limit. */
int find_pretence(const char *limit, unsigned long long *value);
