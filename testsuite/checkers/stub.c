/* An OpenCL implementation for checks of the host driver: a device whose buffers are host memory and whose kernels do
   nothing. With it memcheck sees every access of a driver and none of a real implementation's, in a second. It reads all
   that a kernel could read, so that memcheck reports what a driver has left undefined, and at the end of the program it
   counts what was not released. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGS = 256 };

struct _cl_mem {
    size_t bytes;
    int mapped, is_lent; /* the latter: memory of the program, which no command may use */
    struct _cl_mem *previous, *next;
    unsigned char *data;
};

static struct _cl_mem *buffers;
static int map_count, event_count;

/* The one object of each other kind; nobody looks into it. */
static int platform, device, context, queue, program, kernel, event_object;

static void count_left(void)
{
    int left = map_count + event_count;
    for (struct _cl_mem *buffer = buffers; buffer; buffer = buffer->next)
        left++;
    if (left == 0)
        return;
    fprintf(stderr, "stub: %d buffers, maps or events were not released\n", left);
    _Exit(3);
}

static void misused(const char *what)
{
    fprintf(stderr, "stub: %s\n", what);
    abort();
}

static void give_event(cl_event *event)
{
    if (!event)
        return;
    *event = (cl_event)(void *)&event_object;
    event_count++;
}

/* Memcheck reports a branch on undefined bytes. */
static void read_bytes(const void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (((const volatile unsigned char *)data)[i] == 0xa5)
            (void)*(const volatile unsigned char *)data;
}

static cl_int give(const void *value, size_t value_bytes, size_t bytes, void *to, size_t *needed)
{
    if (needed)
        *needed = value_bytes;
    if (to && bytes < value_bytes)
        return CL_INVALID_VALUE;
    if (to)
        memcpy(to, value, value_bytes);
    return CL_SUCCESS;
}

static struct _cl_mem *check_range(cl_mem buffer, size_t offset, size_t bytes)
{
    struct _cl_mem *found = buffers;
    while (found && found != buffer)
        found = found->next;
    if (!found || offset > found->bytes || bytes > found->bytes - offset)
        misused("no such buffer, or a range outside it");
    if (bytes > 0 && found->is_lent)
        misused("a command uses the program's memory");
    return found;
}

cl_int clGetPlatformIDs(cl_uint count, cl_platform_id *ids, cl_uint *found)
{
    atexit(count_left);
    if (ids && count > 0)
        ids[0] = (cl_platform_id)(void *)&platform;
    if (found)
        *found = 1;
    return CL_SUCCESS;
}

cl_int clGetDeviceIDs(cl_platform_id on, cl_device_type type, cl_uint count, cl_device_id *ids, cl_uint *found)
{
    (void)on, (void)type;
    if (ids && count > 0)
        ids[0] = (cl_device_id)(void *)&device;
    if (found)
        *found = 1;
    return CL_SUCCESS;
}

cl_int clGetDeviceInfo(cl_device_id of, cl_device_info name, size_t bytes, void *to, size_t *needed)
{
    static const char text[] = "OpenCL 1.2 stub";
    static const size_t items[3] = {4096, 4096, 4096};
    const cl_ulong memory = (cl_ulong)1 << 30, local = (cl_ulong)1 << 21;
    const cl_device_type type = CL_DEVICE_TYPE_CPU;
    const cl_device_fp_config all = ~(cl_device_fp_config)0;
    const cl_bool is_shared = getenv("STUB_SHARES_MEMORY") != NULL;
    (void)of;
    switch (name) {
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
        return give(&is_shared, sizeof is_shared, bytes, to, needed);
    case CL_DEVICE_TYPE:
        return give(&type, sizeof type, bytes, to, needed);
    case CL_DEVICE_SINGLE_FP_CONFIG:
    case CL_DEVICE_DOUBLE_FP_CONFIG:
        return give(&all, sizeof all, bytes, to, needed);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return give(items, sizeof *items, bytes, to, needed);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        return give(items, sizeof items, bytes, to, needed);
    case CL_DEVICE_LOCAL_MEM_SIZE:
        return give(&local, sizeof local, bytes, to, needed);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    case CL_DEVICE_GLOBAL_MEM_SIZE:
        return give(&memory, sizeof memory, bytes, to, needed);
    default:
        return give(text, sizeof text, bytes, to, needed);
    }
}

cl_int clGetPlatformInfo(cl_platform_id of, cl_platform_info name, size_t bytes, void *to, size_t *needed)
{
    static const char text[] = "stub";
    (void)of, (void)name;
    return give(text, sizeof text, bytes, to, needed);
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *ids,
                           void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,
                           cl_int *status)
{
    (void)properties, (void)count, (void)ids, (void)notify, (void)data;
    *status = CL_SUCCESS;
    return (cl_context)(void *)&context;
}

cl_command_queue clCreateCommandQueue(cl_context in, cl_device_id on, cl_command_queue_properties properties,
                                      cl_int *status)
{
    (void)in, (void)on, (void)properties;
    *status = CL_SUCCESS;
    return (cl_command_queue)(void *)&queue;
}

cl_program clCreateProgramWithSource(cl_context in, cl_uint count, const char **texts, const size_t *lengths,
                                     cl_int *status)
{
    (void)in;
    for (cl_uint i = 0; i < count; i++)
        read_bytes(texts[i], lengths && lengths[i] ? lengths[i] : strlen(texts[i]));
    *status = CL_SUCCESS;
    return (cl_program)(void *)&program;
}

cl_int clBuildProgram(cl_program what, cl_uint count, const cl_device_id *ids, const char *options,
                      void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
    (void)what, (void)count, (void)ids, (void)notify, (void)data;
    read_bytes(options, strlen(options));
    return CL_SUCCESS;
}

cl_int clGetProgramBuildInfo(cl_program of, cl_device_id on, cl_program_build_info name, size_t bytes, void *to,
                             size_t *needed)
{
    (void)of, (void)on, (void)name;
    return give("", 1, bytes, to, needed);
}

/* There are no binaries: none is accepted, none is given. */
cl_program clCreateProgramWithBinary(cl_context in, cl_uint count, const cl_device_id *ids, const size_t *lengths,
                                     const unsigned char **binaries, cl_int *statuses, cl_int *status)
{
    (void)in, (void)ids;
    for (cl_uint i = 0; i < count; i++) {
        read_bytes(binaries[i], lengths[i]);
        if (statuses)
            statuses[i] = CL_INVALID_BINARY;
    }
    *status = CL_INVALID_BINARY;
    return NULL;
}

cl_int clGetProgramInfo(cl_program of, cl_program_info name, size_t bytes, void *to, size_t *needed)
{
    (void)of, (void)name, (void)bytes, (void)to, (void)needed;
    return CL_INVALID_VALUE;
}

cl_int clReleaseProgram(cl_program what)
{
    (void)what;
    return CL_SUCCESS;
}

cl_kernel clCreateKernel(cl_program in, const char *name, cl_int *status)
{
    (void)in;
    read_bytes(name, strlen(name));
    *status = CL_SUCCESS;
    return (cl_kernel)(void *)&kernel;
}

cl_int clReleaseKernel(cl_kernel what)
{
    (void)what;
    return CL_SUCCESS;
}

cl_int clGetKernelWorkGroupInfo(cl_kernel of, cl_device_id on, cl_kernel_work_group_info name, size_t bytes, void *to,
                                size_t *needed)
{
    const size_t items = 4096;
    const cl_ulong local = 0;
    (void)of, (void)on;
    return name == CL_KERNEL_LOCAL_MEM_SIZE ? give(&local, sizeof local, bytes, to, needed)
                                            : give(&items, sizeof items, bytes, to, needed);
}

cl_mem clCreateBuffer(cl_context in, cl_mem_flags flags, size_t bytes, void *host, cl_int *status)
{
    struct _cl_mem *buffer = malloc(sizeof *buffer);
    (void)in;
    if (bytes == 0)
        misused("a buffer of no bytes");
    if (!buffer || !(buffer->data = host ? host : malloc(bytes)))
        exit(2);
    buffer->is_lent = (flags & CL_MEM_USE_HOST_PTR) != 0;
    buffer->bytes = bytes;
    buffer->mapped = 0;
    buffer->previous = NULL;
    buffer->next = buffers;
    if (buffers)
        buffers->previous = buffer;
    buffers = buffer;
    *status = CL_SUCCESS;
    return buffer;
}

cl_int clReleaseMemObject(cl_mem buffer)
{
    check_range(buffer, 0, 0);
    if (buffer->mapped)
        misused("a mapped buffer is released");
    if (buffer->next)
        buffer->next->previous = buffer->previous;
    *(buffer->previous ? &buffer->previous->next : &buffers) = buffer->next;
    if (!buffer->is_lent)
        free(buffer->data);
    free(buffer);
    return CL_SUCCESS;
}

/* A box of bytes in a buffer or, without one, in the program's memory. */
struct box {
    cl_mem buffer;
    char *host;
    const size_t *origin;
    size_t row, slice;
};

static size_t or_else(size_t pitch, size_t least)
{
    if (pitch != 0 && pitch < least)
        misused("a pitch that is too small");
    return pitch ? pitch : least;
}

static char *find_row(const struct box *box, const size_t *region, size_t y, size_t z)
{
    size_t row = or_else(box->row, region[0]), slice = or_else(box->slice, region[1] * row);
    size_t at = (box->origin[2] + z) * slice + (box->origin[1] + y) * row + box->origin[0];
    return (box->buffer ? (char *)check_range(box->buffer, at, region[0])->data : box->host) + at;
}

static cl_int copy_box(struct box to, struct box from, const size_t *region, cl_event *event)
{
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            memcpy(find_row(&to, region, y, z), find_row(&from, region, y, z), region[0]);
    give_event(event);
    return CL_SUCCESS;
}

cl_int clEnqueueWriteBufferRect(cl_command_queue on, cl_mem buffer, cl_bool blocking, const size_t *buffer_origin,
                                const size_t *host_origin, const size_t *region, size_t row, size_t slice,
                                size_t host_row, size_t host_slice, const void *host, cl_uint waits,
                                const cl_event *wait, cl_event *event)
{
    (void)on, (void)blocking, (void)waits, (void)wait;
    return copy_box((struct box){buffer, NULL, buffer_origin, row, slice},
                    (struct box){NULL, (char *)host, host_origin, host_row, host_slice}, region, event);
}

cl_int clEnqueueReadBufferRect(cl_command_queue on, cl_mem buffer, cl_bool blocking, const size_t *buffer_origin,
                               const size_t *host_origin, const size_t *region, size_t row, size_t slice,
                               size_t host_row, size_t host_slice, void *host, cl_uint waits, const cl_event *wait,
                               cl_event *event)
{
    (void)on, (void)blocking, (void)waits, (void)wait;
    return copy_box((struct box){NULL, host, host_origin, host_row, host_slice},
                    (struct box){buffer, NULL, buffer_origin, row, slice}, region, event);
}

cl_int clEnqueueCopyBufferRect(cl_command_queue on, cl_mem from, cl_mem to, const size_t *from_origin,
                               const size_t *to_origin, const size_t *region, size_t from_row, size_t from_slice,
                               size_t to_row, size_t to_slice, cl_uint waits, const cl_event *wait, cl_event *event)
{
    (void)on, (void)waits, (void)wait;
    return copy_box((struct box){to, NULL, to_origin, to_row, to_slice},
                    (struct box){from, NULL, from_origin, from_row, from_slice}, region, event);
}

void *clEnqueueMapBuffer(cl_command_queue on, cl_mem buffer, cl_bool blocking, cl_map_flags flags, size_t offset,
                         size_t bytes, cl_uint waits, const cl_event *wait, cl_event *event, cl_int *status)
{
    (void)on, (void)blocking, (void)flags, (void)waits, (void)wait;
    check_range(buffer, offset, bytes)->mapped++;
    map_count++;
    give_event(event);
    *status = CL_SUCCESS;
    return buffer->data + offset;
}

cl_int clEnqueueUnmapMemObject(cl_command_queue on, cl_mem buffer, void *mapped, cl_uint waits, const cl_event *wait,
                               cl_event *event)
{
    (void)on, (void)mapped, (void)waits, (void)wait;
    if (check_range(buffer, 0, 0)->mapped-- == 0)
        misused("a buffer is unmapped that is not mapped");
    map_count--;
    read_bytes(buffer->data, buffer->bytes);
    give_event(event);
    return CL_SUCCESS;
}

cl_int clEnqueueCopyBuffer(cl_command_queue on, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
                           size_t bytes, cl_uint waits, const cl_event *wait, cl_event *event)
{
    (void)on, (void)waits, (void)wait;
    memcpy(check_range(to, to_offset, bytes)->data + to_offset,
           check_range(from, from_offset, bytes)->data + from_offset, bytes);
    give_event(event);
    return CL_SUCCESS;
}

cl_int clEnqueueFillBuffer(cl_command_queue on, cl_mem buffer, const void *pattern, size_t pattern_bytes, size_t offset,
                           size_t bytes, cl_uint waits, const cl_event *wait, cl_event *event)
{
    (void)on, (void)waits, (void)wait;
    if (pattern_bytes == 0 || offset % pattern_bytes || bytes % pattern_bytes)
        misused("a fill that is no multiple of its pattern");
    for (size_t i = 0; i < bytes; i += pattern_bytes)
        memcpy(check_range(buffer, offset, bytes)->data + offset + i, pattern, pattern_bytes);
    give_event(event);
    return CL_SUCCESS;
}

cl_int clSetKernelArg(cl_kernel of, cl_uint index, size_t bytes, const void *value)
{
    (void)of;
    if (index >= MAX_ARGS)
        misused("too many kernel arguments");
    read_bytes(value, bytes);
    return CL_SUCCESS;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue on, cl_kernel what, cl_uint rank, const size_t *offset,
                              const size_t *global, const size_t *local, cl_uint waits, const cl_event *wait,
                              cl_event *event)
{
    (void)on, (void)what, (void)offset, (void)waits, (void)wait;
    for (cl_uint d = 0; d < rank; d++)
        if (local[d] == 0 || global[d] == 0 || global[d] % local[d])
            misused("an NDRange that is no multiple of its work-group");
    for (struct _cl_mem *buffer = buffers; buffer; buffer = buffer->next) {
        if (buffer->mapped)
            misused("a kernel is launched while a buffer is mapped");
        if (!buffer->is_lent)
            read_bytes(buffer->data, buffer->bytes);
    }
    give_event(event);
    return CL_SUCCESS;
}

/* Every command is done as soon as it is enqueued. */
cl_int clGetEventInfo(cl_event of, cl_event_info name, size_t bytes, void *to, size_t *needed)
{
    const cl_int execution = CL_COMPLETE;
    (void)of;
    return name == CL_EVENT_COMMAND_EXECUTION_STATUS ? give(&execution, sizeof execution, bytes, to, needed)
                                                     : CL_INVALID_VALUE;
}

cl_int clGetEventProfilingInfo(cl_event of, cl_profiling_info name, size_t bytes, void *to, size_t *needed)
{
    const cl_ulong time = name == CL_PROFILING_COMMAND_START ? 1000 : 2000;
    (void)of;
    return give(&time, sizeof time, bytes, to, needed);
}

cl_int clReleaseEvent(cl_event what)
{
    if (what != (cl_event)(void *)&event_object || event_count-- == 0)
        misused("an event is released that was not given");
    return CL_SUCCESS;
}

cl_int clWaitForEvents(cl_uint count, const cl_event *events)
{
    read_bytes(events, count * sizeof *events);
    return CL_SUCCESS;
}

cl_int clFlush(cl_command_queue what)
{
    (void)what;
    return CL_SUCCESS;
}

cl_int clFinish(cl_command_queue what)
{
    (void)what;
    return CL_SUCCESS;
}

cl_int clReleaseContext(cl_context what)
{
    (void)what;
    return CL_SUCCESS;
}
