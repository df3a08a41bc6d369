/* Linked into rewritten programs that run on Oclgrind 21.10, between them and its OpenCL calls (ld --wrap). Oclgrind
   computes with the host's single-precision division and square root, which are correctly rounded, but does not say so.
   And it takes memory for uninitialised that clEnqueueFillBuffer or clEnqueueCopyBuffer has written, even after a kernel
   has written it again. So a fill is left out here: what no array of the program fills stays uninitialised, and a kernel
   whose result depends on it is reported. A copy goes by way of the host, and one of a box passes for the host's. Nor does it keep account of a buffer whose rows
   the host writes one by one, so its memory passes for the host's. Each launch names its kernel on stderr. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

enum { MAX_BLANK = 256 };

/* Buffers that nothing but a fill has given contents; a handle that is used again is entered again. */
static cl_mem blank[MAX_BLANK];
static int blank_count;

cl_int __real_clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t size, void *value, size_t *needed);
cl_int __real_clReleaseMemObject(cl_mem buffer);
cl_int __wrap_clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t size, void *value, size_t *needed);
cl_int __wrap_clReleaseMemObject(cl_mem buffer);
cl_int __wrap_clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size,
                                  size_t offset, size_t size, cl_uint waits, const cl_event *wait, cl_event *event);
cl_int __wrap_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
                                  size_t size, cl_uint waits, const cl_event *wait, cl_event *event);
cl_int __wrap_clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
                                      const size_t *to_origin, const size_t *region, size_t from_row, size_t from_slice,
                                      size_t to_row, size_t to_slice, cl_uint waits, const cl_event *wait,
                                      cl_event *event);
cl_int __real_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint rank, const size_t *offset,
                                     const size_t *global, const size_t *local, cl_uint waits, const cl_event *wait,
                                     cl_event *event);
cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint rank, const size_t *offset,
                                     const size_t *global, const size_t *local, cl_uint waits, const cl_event *wait,
                                     cl_event *event);

cl_int __wrap_clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t size, void *value, size_t *needed)
{
    cl_int status = __real_clGetDeviceInfo(device, name, size, value, needed);
    if (status == CL_SUCCESS && name == CL_DEVICE_SINGLE_FP_CONFIG && value)
        *(cl_device_fp_config *)value |= CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    if (status == CL_SUCCESS && name == CL_DEVICE_HOST_UNIFIED_MEMORY && value)
        *(cl_bool *)value = CL_TRUE;
    return status;
}

/* Place of a buffer among the blank ones, or their number. */
static int find_blank(cl_mem buffer)
{
    int i = 0;
    while (i < blank_count && blank[i] != buffer)
        i++;
    return i;
}

static cl_int add_blank(cl_mem buffer)
{
    if (blank_count == MAX_BLANK)
        return CL_OUT_OF_HOST_MEMORY;
    blank[blank_count++] = buffer;
    return CL_SUCCESS;
}

cl_int __wrap_clReleaseMemObject(cl_mem buffer)
{
    int i = find_blank(buffer);
    if (i < blank_count)
        blank[i] = blank[--blank_count];
    return __real_clReleaseMemObject(buffer);
}

cl_int __wrap_clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size,
                                  size_t offset, size_t size, cl_uint waits, const cl_event *wait, cl_event *event)
{
    (void)queue, (void)pattern, (void)pattern_size, (void)offset, (void)size, (void)waits, (void)wait, (void)event;
    return add_blank(buffer);
}

cl_int __wrap_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
                                  size_t size, cl_uint waits, const cl_event *wait, cl_event *event)
{
    cl_int status;
    void *source, *target;
    if (find_blank(from) < blank_count)
        return add_blank(to);
    source = clEnqueueMapBuffer(queue, from, CL_TRUE, CL_MAP_READ, from_offset, size, waits, wait, NULL, &status);
    if (status != CL_SUCCESS)
        return status;
    target = clEnqueueMapBuffer(queue, to, CL_TRUE, CL_MAP_WRITE, to_offset, size, 0, NULL, NULL, &status);
    if (status == CL_SUCCESS) {
        memcpy(target, source, size);
        status = clEnqueueUnmapMemObject(queue, to, target, 0, NULL, NULL);
    }
    clEnqueueUnmapMemObject(queue, from, source, 0, NULL, event);
    return status;
}

cl_int __wrap_clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
                                      const size_t *to_origin, const size_t *region, size_t from_row, size_t from_slice,
                                      size_t to_row, size_t to_slice, cl_uint waits, const cl_event *wait,
                                      cl_event *event)
{
    size_t read_end = from_origin[0] + from_origin[1] * from_row + from_origin[2] * from_slice;
    size_t written_end = to_origin[0] + to_origin[1] * to_row + to_origin[2] * to_slice;
    size_t read_begin = read_end, written_begin = written_end;
    const char *source;
    char *target;
    cl_int status;
    read_end += region[0] + (region[1] - 1) * from_row + (region[2] - 1) * from_slice;
    written_end += region[0] + (region[1] - 1) * to_row + (region[2] - 1) * to_slice;
    source = clEnqueueMapBuffer(queue, from, CL_TRUE, CL_MAP_READ, read_begin, read_end - read_begin, waits, wait, NULL,
                                &status);
    if (status != CL_SUCCESS)
        return status;
    target = clEnqueueMapBuffer(queue, to, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, written_begin,
                                written_end - written_begin, 0, NULL, NULL, &status);
    if (status == CL_SUCCESS) {
        for (size_t slice = 0; slice < region[2]; slice++)
            for (size_t row = 0; row < region[1]; row++)
                memcpy(target + row * to_row + slice * to_slice, source + row * from_row + slice * from_slice, region[0]);
        status = clEnqueueUnmapMemObject(queue, to, target, 0, NULL, NULL);
    }
    clEnqueueUnmapMemObject(queue, from, (void *)source, 0, NULL, event);
    return status;
}

cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint rank, const size_t *offset,
                                     const size_t *global, const size_t *local, cl_uint waits, const cl_event *wait,
                                     cl_event *event)
{
    char name[512] = "";
    if (clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL) == CL_SUCCESS)
        fprintf(stderr, "launch of %s\n", name);
    return __real_clEnqueueNDRangeKernel(queue, kernel, rank, offset, global, local, waits, wait, event);
}
