/* Stands in front of libOpenCL and lets calls go wrong: the functions that generated drivers and the tool call, each
   with the verdict of `judge`. Without a wish in the environment every call is handed on as it is. */

#define _GNU_SOURCE
#include "verdict.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Microseconds: long against what a run takes otherwise. */
enum { DELAY = 30000 };

/* The function of that name behind this library. */
static void *behind(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    return found;
}

/* Looked up once: a child that is forked meanwhile would find the loader locked. */
#define REAL(name)                                                                                                     \
    __extension__({                                                                                                    \
        static __typeof__(&name) found;                                                                                \
        if (!found)                                                                                                    \
            found = (__typeof__(&name))behind(#name);                                                                  \
        found;                                                                                                         \
    })

/* Waits if the verdict says so. Whether the call shall do its work. */
static int may_work(verdict given)
{
    if (given.mode == FAULT_DELAY)
        usleep(DELAY);
    return given.mode != FAULT_INSTEAD;
}

static cl_int outcome(verdict given, cl_int status)
{
    return given.mode == FAULT_AFTER ? given.error : status;
}

/* A function that returns a status. */
#define STATUS_FUNCTION(name, parameters, arguments)                                                                   \
    cl_int name parameters                                                                                             \
    {                                                                                                                  \
        verdict given = judge(#name);                                                                                  \
        return may_work(given) ? outcome(given, REAL(name) arguments) : given.error;                                   \
    }

/* A function that returns an object of a kind and a status in its last parameter `status`. */
#define CREATING_FUNCTION(type, kind, name, parameters, arguments)                                                     \
    type name parameters                                                                                               \
    {                                                                                                                  \
        verdict given = judge(#name);                                                                                  \
        type made = may_work(given) ? REAL(name) arguments : NULL;                                                     \
        if (made)                                                                                                      \
            count_living(kind, 1);                                                                                     \
        return creation_outcome(given, status) ? made : NULL;                                                          \
    }

/* Whether the object is handed out; one that is made and kept is lost, as with a driver that does so. */
static int creation_outcome(verdict given, cl_int *status)
{
    if (given.mode != FAULT_INSTEAD && given.mode != FAULT_AFTER)
        return 1;
    if (status)
        *status = given.error;
    return 0;
}

/* A function that gives an object of a kind back. */
#define RELEASING_FUNCTION(type, kind, name)                                                                           \
    cl_int name(type object)                                                                                           \
    {                                                                                                                  \
        verdict given = judge(#name);                                                                                  \
        if (!may_work(given))                                                                                          \
            return given.error;                                                                                        \
        count_living(kind, -1);                                                                                        \
        return outcome(given, REAL(name)(object));                                                                     \
    }

/* What a queue gives for a command that has failed on the device. */
static void give_failed_event(cl_command_queue queue, cl_event *event)
{
    cl_context context;
    cl_int status;
    if (!event || REAL(clGetCommandQueueInfo)(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL) != CL_SUCCESS)
        return;
    *event = REAL(clCreateUserEvent)(context, &status);
    REAL(clSetUserEventStatus)(*event, broken_by.error);
}

static void *open_gate(void *gate)
{
    usleep(DELAY);
    REAL(clSetUserEventStatus)(gate, CL_COMPLETE);
    REAL(clReleaseEvent)(gate);
    return NULL;
}

/* Keeps commands that are enqueued from now on waiting for a while. */
static void stall(cl_command_queue queue)
{
    cl_context context;
    cl_event gate;
    pthread_t thread;
    cl_int status;
    if (REAL(clGetCommandQueueInfo)(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL) != CL_SUCCESS)
        abort();
    gate = REAL(clCreateUserEvent)(context, &status);
    if (REAL(clEnqueueBarrierWithWaitList)(queue, 1, &gate, NULL) != CL_SUCCESS ||
        pthread_create(&thread, NULL, open_gate, gate) != 0)
        abort();
    pthread_detach(thread);
}

/* What a verdict means for a command that is about to be enqueued. Whether it shall run on the device. */
static int may_run(verdict given, cl_command_queue queue)
{
    if (given.mode == FAULT_LATE)
        stall(queue);
    return broken_by.mode == FAULT_NONE;
}

/* A command; its parameters `queue` and `event` are looked at. */
#define COMMAND_FUNCTION(name, parameters, arguments)                                                                  \
    cl_int name parameters                                                                                             \
    {                                                                                                                  \
        verdict given = judge(#name);                                                                                  \
        if (!may_work(given))                                                                                          \
            return given.error;                                                                                        \
        if (may_run(given, queue)) {                                                                                   \
            cl_int status = REAL(name) arguments;                                                                      \
            count_living("event", event && status == CL_SUCCESS);                                                      \
            return outcome(given, status);                                                                             \
        }                                                                                                              \
        give_failed_event(queue, event);                                                                               \
        count_living("event", event != NULL);                                                                          \
        return CL_SUCCESS;                                                                                             \
    }

COMMAND_FUNCTION(clEnqueueNDRangeKernel,
                 (cl_command_queue queue, cl_kernel kernel, cl_uint rank, const size_t *offset, const size_t *global,
                  const size_t *local, cl_uint count, const cl_event *list, cl_event *event),
                 (queue, kernel, rank, offset, global, local, count, list, event))
COMMAND_FUNCTION(clEnqueueCopyBuffer,
                 (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t bytes,
                  cl_uint count, const cl_event *list, cl_event *event),
                 (queue, from, to, from_offset, to_offset, bytes, count, list, event))
COMMAND_FUNCTION(clEnqueueCopyBufferRect,
                 (cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin, const size_t *to_origin,
                  const size_t *region, size_t from_row, size_t from_slice, size_t to_row, size_t to_slice, cl_uint count,
                  const cl_event *list, cl_event *event),
                 (queue, from, to, from_origin, to_origin, region, from_row, from_slice, to_row, to_slice, count, list,
                  event))
COMMAND_FUNCTION(clEnqueueFillBuffer,
                 (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_bytes, size_t offset,
                  size_t bytes, cl_uint count, const cl_event *list, cl_event *event),
                 (queue, buffer, pattern, pattern_bytes, offset, bytes, count, list, event))

COMMAND_FUNCTION(clEnqueueWriteBufferRect,
                 (cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *buffer_origin,
                  const size_t *host_origin, const size_t *region, size_t row, size_t slice, size_t host_row,
                  size_t host_slice, const void *host, cl_uint count, const cl_event *list, cl_event *event),
                 (queue, buffer, blocking, buffer_origin, host_origin, region, row, slice, host_row, host_slice, host,
                  count, list, event))
COMMAND_FUNCTION(clEnqueueReadBufferRect,
                 (cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *buffer_origin,
                  const size_t *host_origin, const size_t *region, size_t row, size_t slice, size_t host_row,
                  size_t host_slice, void *host, cl_uint count, const cl_event *list, cl_event *event),
                 (queue, buffer, blocking, buffer_origin, host_origin, region, row, slice, host_row, host_slice, host,
                  count, list, event))

/* An unmapping that fails on the device still ends the mapping. */
cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem buffer, void *mapped, cl_uint count,
                               const cl_event *list, cl_event *event)
{
    verdict given = judge("clEnqueueUnmapMemObject");
    int runs;
    cl_int status;
    if (!may_work(given))
        return given.error;
    runs = may_run(given, queue);
    count_living("mapping", -1);
    status = REAL(clEnqueueUnmapMemObject)(queue, buffer, mapped, count, list, runs ? event : NULL);
    if (!runs)
        give_failed_event(queue, event);
    count_living("event", event && status == CL_SUCCESS);
    return outcome(given, status);
}

/* Where an earlier command has failed, some drivers map what the buffer happens to hold and tell it in the event. */
void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags, size_t offset,
                         size_t bytes, cl_uint count, const cl_event *list, cl_event *event, cl_int *status)
{
    verdict given = judge("clEnqueueMapBuffer");
    void *mapped;
    int runs;
    if (!may_work(given)) {
        *status = given.error;
        return NULL;
    }
    runs = may_run(given, queue);
    if (broken_by.mode == FAULT_STICKY) {
        *status = broken_by.error;
        return NULL;
    }
    mapped = REAL(clEnqueueMapBuffer)(queue, buffer, blocking, flags, offset, bytes, count, list, runs ? event : NULL,
                                      status);
    if (!runs)
        give_failed_event(queue, event);
    count_living("mapping", mapped != NULL);
    count_living("event", mapped && event);
    return creation_outcome(given, status) ? mapped : NULL;
}

/* A function that waits for commands. */
#define WAITING_FUNCTION(name, parameters, arguments)                                                                  \
    cl_int name parameters                                                                                             \
    {                                                                                                                  \
        verdict given = judge(#name);                                                                                  \
        if (!may_work(given))                                                                                          \
            return given.error;                                                                                        \
        return broken_by.mode == FAULT_STICKY ? broken_by.error : outcome(given, REAL(name) arguments);                          \
    }

WAITING_FUNCTION(clFinish, (cl_command_queue queue), (queue))
WAITING_FUNCTION(clWaitForEvents, (cl_uint count, const cl_event *events), (count, events))
STATUS_FUNCTION(clFlush, (cl_command_queue queue), (queue))

/* Whether a buffer is memory of the program. */
static int is_lent(cl_mem buffer)
{
    cl_mem_flags flags = 0;
    REAL(clGetMemObjectInfo)(buffer, CL_MEM_FLAGS, sizeof flags, &flags, NULL);
    return (flags & CL_MEM_USE_HOST_PTR) != 0;
}

/* A kernel that fails must not have changed the program's memory. */
cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    verdict given = judge("clSetKernelArg");
    cl_kernel_arg_address_qualifier kind = 0;
    if (REAL(clGetKernelArgInfo)(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof kind, &kind, NULL) == CL_SUCCESS &&
        kind == CL_KERNEL_ARG_ADDRESS_GLOBAL)
        count_living("lent_argument", is_lent(*(const cl_mem *)value));
    return may_work(given) ? outcome(given, REAL(clSetKernelArg)(kernel, index, bytes, value)) : given.error;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *status)
{
    verdict given = judge("clCreateBuffer");
    cl_mem made = may_work(given) ? REAL(clCreateBuffer)(context, flags, bytes, host, status) : NULL;
    count_living("buffer", made != NULL);
    return creation_outcome(given, status) ? made : NULL;
}

CREATING_FUNCTION(cl_context, "context", clCreateContext,
                  (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
                   void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data, cl_int *status),
                  (properties, count, devices, notify, data, status))
CREATING_FUNCTION(cl_context, "context", clCreateContextFromType,
                  (const cl_context_properties *properties, cl_device_type type,
                   void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data, cl_int *status),
                  (properties, type, notify, data, status))
CREATING_FUNCTION(cl_command_queue, "queue", clCreateCommandQueue,
                  (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *status),
                  (context, device, properties, status))
CREATING_FUNCTION(cl_program, "program", clCreateProgramWithSource,
                  (cl_context context, cl_uint count, const char **texts, const size_t *lengths, cl_int *status),
                  (context, count, texts, lengths, status))
CREATING_FUNCTION(cl_program, "program", clCreateProgramWithBinary,
                  (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *lengths,
                   const unsigned char **binaries, cl_int *each, cl_int *status),
                  (context, count, devices, lengths, binaries, each, status))
CREATING_FUNCTION(cl_kernel, "kernel", clCreateKernel, (cl_program program, const char *name, cl_int *status),
                  (program, name, status))

RELEASING_FUNCTION(cl_mem, "buffer", clReleaseMemObject)
RELEASING_FUNCTION(cl_context, "context", clReleaseContext)
RELEASING_FUNCTION(cl_command_queue, "queue", clReleaseCommandQueue)
RELEASING_FUNCTION(cl_program, "program", clReleaseProgram)
RELEASING_FUNCTION(cl_kernel, "kernel", clReleaseKernel)
RELEASING_FUNCTION(cl_event, "event", clReleaseEvent)

STATUS_FUNCTION(clGetPlatformIDs, (cl_uint room, cl_platform_id *platforms, cl_uint *count), (room, platforms, count))
STATUS_FUNCTION(clGetPlatformInfo,
                (cl_platform_id platform, cl_platform_info what, size_t room, void *value, size_t *bytes),
                (platform, what, room, value, bytes))
STATUS_FUNCTION(clGetDeviceIDs,
                (cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *devices, cl_uint *count),
                (platform, type, room, devices, count))
STATUS_FUNCTION(clGetEventInfo, (cl_event event, cl_event_info what, size_t room, void *value, size_t *bytes),
                (event, what, room, value, bytes))
STATUS_FUNCTION(clGetEventProfilingInfo, (cl_event event, cl_profiling_info what, size_t room, void *value, size_t *bytes),
                (event, what, room, value, bytes))
STATUS_FUNCTION(clGetProgramInfo, (cl_program program, cl_program_info what, size_t room, void *value, size_t *bytes),
                (program, what, room, value, bytes))
cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                      void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
    verdict given = judge("clBuildProgram");
    note_options(options);
    if (!may_work(given))
        return given.error;
    return outcome(given, REAL(clBuildProgram)(program, count, devices, options, notify, data));
}

/* A build that was made to fail has a log that says so; so has every build if FAULTS_LOG is set. */
cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what, size_t room,
                             void *value, size_t *bytes)
{
    static const char log[] = "the registers do not suffice";
    verdict given = judge("clGetProgramBuildInfo");
    if (!may_work(given))
        return given.error;
    if (what != CL_PROGRAM_BUILD_LOG || (!faults_has_struck() && !getenv("FAULTS_LOG")))
        return outcome(given, REAL(clGetProgramBuildInfo)(program, device, what, room, value, bytes));
    if (bytes)
        *bytes = sizeof log;
    if (value && room >= sizeof log)
        memcpy(value, log, sizeof log);
    return outcome(given, CL_SUCCESS);
}

/* Overwrites the answer, an array of integers of `size` bytes, if the device shall pretend to have that limit. */
static void pretend(const char *limit, void *value, size_t room, size_t size)
{
    unsigned long long pretended;
    if (!value || !find_pretence(limit, &pretended))
        return;
    for (size_t at = 0; at + size <= room; at += size)
        memcpy((char *)value + at, &pretended, size);
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t room, void *value, size_t *bytes)
{
    verdict given = judge("clGetDeviceInfo");
    cl_int status;
    if (!may_work(given))
        return given.error;
    status = REAL(clGetDeviceInfo)(device, what, room, value, bytes);
    switch (what) {
    case CL_DEVICE_GLOBAL_MEM_SIZE: pretend("global", value, room, sizeof(cl_ulong)); break;
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: pretend("buffer", value, room, sizeof(cl_ulong)); break;
    case CL_DEVICE_LOCAL_MEM_SIZE: pretend("local", value, room, sizeof(cl_ulong)); break;
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: pretend("group", value, room, sizeof(size_t)); break;
    case CL_DEVICE_MAX_WORK_ITEM_SIZES: pretend("items", value, room, sizeof(size_t)); break;
    case CL_DEVICE_HOST_UNIFIED_MEMORY: pretend("unified", value, room, sizeof(cl_bool)); break;
    case CL_DEVICE_DOUBLE_FP_CONFIG: pretend("double", value, room, sizeof(cl_device_fp_config)); break;
    /* A digit, in front of as many zeros as there is room for. */
    case CL_DRIVER_VERSION: pretend("driver", value, room, sizeof(cl_ulong)); break;
    case CL_DEVICE_SINGLE_FP_CONFIG: pretend("single", value, room, sizeof(cl_device_fp_config)); break;
    default: break;
    }
    return outcome(given, status);
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t room,
                                void *value, size_t *bytes)
{
    verdict given = judge("clGetKernelWorkGroupInfo");
    cl_int status;
    if (!may_work(given))
        return given.error;
    status = REAL(clGetKernelWorkGroupInfo)(kernel, device, what, room, value, bytes);
    if (what == CL_KERNEL_WORK_GROUP_SIZE)
        pretend("kernel_group", value, room, sizeof(size_t));
    if (what == CL_KERNEL_COMPILE_WORK_GROUP_SIZE)
        pretend("kernel_compiled", value, room, sizeof(size_t));
    if (what == CL_KERNEL_LOCAL_MEM_SIZE)
        pretend("kernel_local", value, room, sizeof(cl_ulong));
    return outcome(given, status);
}

/* Drivers are compiled with these names for the functions of the C library. */
void *faulty_malloc(size_t bytes)
{
    return may_work(judge("malloc")) ? malloc(bytes) : NULL;
}

void *faulty_calloc(size_t count, size_t bytes)
{
    return may_work(judge("malloc")) ? calloc(count, bytes) : NULL;
}
