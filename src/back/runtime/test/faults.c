/* Lets each OpenCL call of a run fail in turn: the runtime must then say no and leave the host's memory as it was, or
   say yes with the right results if the failure came after them. */

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "check.h"

static int calls_before_fault = -1;

static int fault(void)
{
    return calls_before_fault >= 0 && calls_before_fault-- == 0;
}

#define clSetKernelArg(...) (fault() ? CL_OUT_OF_RESOURCES : clSetKernelArg(__VA_ARGS__))
#define clEnqueueNDRangeKernel(...) (fault() ? CL_OUT_OF_RESOURCES : clEnqueueNDRangeKernel(__VA_ARGS__))
#define clEnqueueCopyBuffer(...) (fault() ? CL_OUT_OF_RESOURCES : clEnqueueCopyBuffer(__VA_ARGS__))
#define clEnqueueFillBuffer(...) (fault() ? CL_OUT_OF_RESOURCES : clEnqueueFillBuffer(__VA_ARGS__))
#define clEnqueueUnmapMemObject(...) (fault() ? CL_OUT_OF_RESOURCES : clEnqueueUnmapMemObject(__VA_ARGS__))
#define clFinish(queue) (fault() ? CL_OUT_OF_RESOURCES : clFinish(queue))
#define clFlush(queue) (fault() ? CL_OUT_OF_RESOURCES : clFlush(queue))
#define clCreateBuffer(context, flags, bytes, host, status)                                                            \
    (fault() ? (*(status) = CL_MEM_OBJECT_ALLOCATION_FAILURE, (cl_mem)NULL)                                            \
             : clCreateBuffer(context, flags, bytes, host, status))
#define clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, bytes, count, list, event, status)                  \
    (fault() ? (*(status) = CL_MAP_FAILURE, (void *)NULL)                                                              \
             : clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, bytes, count, list, event, status))

#include "runtime.h"

/* The tile kernel reads and writes a, and writes b; c has no first contents. */
static const char *const source[] = {
    "__kernel void tile(__global const int *a, __global int *next_a, __global int *b, __global int *c, long origin,",
    "                   int lo, int hi) {",
    "    int x = lo + (int)get_global_id(0);",
    "    if (x <= hi) {",
    "        next_a[origin + x] = a[origin + x] + 1;",
    "        b[origin + x] = a[origin + x];",
    "        c[origin + x] = 0;",
    "    }",
    "}",
};
static const stencil_arg args[] = {
    {STENCIL_ARG_INPUT, 0, 0},  {STENCIL_ARG_OUTPUT, 0, 0},  {STENCIL_ARG_OUTPUT, 1, 0},  {STENCIL_ARG_OUTPUT, 2, 0},
    {STENCIL_ARG_ORIGIN, 0, 0}, {STENCIL_ARG_TILE_LO, 0, 0}, {STENCIL_ARG_TILE_HI, 0, 0},
};
static const stencil_kernel kernel = {"tile", 1, 0, 1, {8, 1, 1}, {8, 0, 0, 0}, 7, args};
static const stencil_plan plan = {"tiles", 0, 0, 0, {0, 0, 0, 0}, {0, 0, 0, 0}, 1, &kernel};
static const stencil_region region = {
    "faulty", "faults.c:1", source, sizeof source / sizeof *source, 1, "", 0, 0, 0, 1, &plan, 0,
};

enum { CELLS = 20 };

static int run(int *a, int *b, long long steps)
{
    stencil_box box = {{0}, {CELLS - 1}};
    stencil_array arrays[2] = {
        {"a", a, sizeof(int), 1, {1}, box, 1, 0},
        {"b", b, sizeof(int), 1, {1}, box, 1, 0},
    };
    stencil_layout layout = {1, box};
    stencil_field fields[3] = {
        {"a", sizeof(int), 0, 1, 1, {0}},
        {"b", sizeof(int), 0, 1, 1, {1}},
        {"c", sizeof(int), 0, 1, 1, {-1}},
    };
    stencil_sweep sweep = {"a", 1, box};
    stencil_result results[2] = {{0, 0, 0, box, NULL}, {1, 1, 0, box, NULL}};
    stencil_call call = {steps,  1,       box,    2,      1,       3,    1,    2,   0,
                         arrays, &layout, fields, &sweep, results, NULL, NULL, NULL};
    return stencil_run(&region, &call);
}

/* Runs with a fault after so many calls; `refused` counts the runs that said no. */
static int check(int calls, long long steps, int *refused)
{
    int a[CELLS], b[CELLS], is_done, failures = 0;
    for (int i = 0; i < CELLS; i++) {
        a[i] = i;
        b[i] = -i;
    }
    calls_before_fault = calls;
    is_done = run(a, b, steps);
    *refused += !is_done;
    for (int i = 0; i < CELLS; i++)
        failures += is_done ? a[i] != i + steps || b[i] != i + steps - 1 : a[i] != i || b[i] != -i;
    return expect(is_done ? "right results" : "memory unchanged", failures == 0);
}

int test_faults(void)
{
    const long long steps = 130;
    int refused = 0, calls = 0;
    int failures = check(-1, steps, &refused) + expect("no fault", refused == 0);
    do {
        failures += check(calls++, steps, &refused);
    } while (calls_before_fault < 0);
    /* Each launch sets seven arguments; four buffers are made and filled before, two results mapped after. */
    return failures + expect("every call has failed once", refused > steps * 8 + 10 && refused < calls);
}
