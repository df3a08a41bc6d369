/* Choice of the device, once per program. */

typedef struct {
    cl_platform_id platform;
    cl_device_id id;
    cl_device_type type;
    char name[128];
} stencil_candidate;

enum { STENCIL_MAX_PLATFORMS = 32, STENCIL_MAX_DEVICES = 128 };

static int stencil_add_devices(cl_platform_id platform, stencil_candidate *candidates, int count)
{
    cl_device_id ids[STENCIL_MAX_DEVICES];
    cl_uint found = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, STENCIL_MAX_DEVICES, ids, &found) != CL_SUCCESS)
        return count;
    for (cl_uint i = 0; i < found && i < STENCIL_MAX_DEVICES && count < STENCIL_MAX_DEVICES; i++) {
        stencil_candidate *candidate = &candidates[count++];
        memset(candidate, 0, sizeof *candidate);
        candidate->platform = platform;
        candidate->id = ids[i];
        clGetDeviceInfo(ids[i], CL_DEVICE_TYPE, sizeof candidate->type, &candidate->type, NULL);
        clGetDeviceInfo(ids[i], CL_DEVICE_NAME, sizeof candidate->name - 1, candidate->name, NULL);
    }
    return count;
}

/* The loader's way to say that there is no platform. */
enum { STENCIL_NO_PLATFORM = -1001 };

/* Lists the devices of all platforms, in the order in which STENCIL_DEVICE=<index> counts them. */
static int stencil_list_devices(stencil_candidate *candidates, stencil_failure *failure)
{
    cl_platform_id platforms[STENCIL_MAX_PLATFORMS];
    cl_uint found = 0;
    int count = 0;
    cl_int status = clGetPlatformIDs(STENCIL_MAX_PLATFORMS, platforms, &found);
    stencil_fail(failure, "no OpenCL device");
    if (status != CL_SUCCESS && status != STENCIL_NO_PLATFORM)
        return stencil_ok(failure, status, "clGetPlatformIDs");
    if (status != CL_SUCCESS)
        return 0;
    for (cl_uint i = 0; i < found && i < STENCIL_MAX_PLATFORMS; i++)
        count = stencil_add_devices(platforms[i], candidates, count);
    return count;
}

static int stencil_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* Whether `text` contains `part`, upper and lower case being the same. */
static int stencil_mentions(const char *text, const char *part)
{
    for (; *text; text++) {
        size_t i = 0;
        while (part[i] && text[i] && stencil_lower(text[i]) == stencil_lower(part[i]))
            i++;
        if (!part[i])
            return 1;
    }
    return 0;
}

static int stencil_first_of_type(const stencil_candidate *candidates, int count, cl_device_type type)
{
    for (int i = 0; i < count; i++)
        if (candidates[i].type & type)
            return i;
    return -1;
}

/* Index of the device to take, -1 if there is none. */
static int stencil_choose_device(const stencil_candidate *candidates, int count, const char *wish)
{
    static const cl_device_type preferred[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_CPU};
    if (!wish || !*wish) {
        for (int i = 0; i < 3; i++) {
            int first = stencil_first_of_type(candidates, count, preferred[i]);
            if (first >= 0)
                return first;
        }
        return count - 1;
    }
    if (strcmp(wish, "none") == 0)
        return -1;
    if (strcmp(wish, "cpu") == 0)
        return stencil_first_of_type(candidates, count, CL_DEVICE_TYPE_CPU);
    if (strcmp(wish, "gpu") == 0)
        return stencil_first_of_type(candidates, count, CL_DEVICE_TYPE_GPU);
    if (strspn(wish, "0123456789") == strlen(wish)) {
        long index = strtol(wish, NULL, 10);
        return index < count ? (int)index : -1;
    }
    for (int i = 0; i < count; i++)
        if (stencil_mentions(candidates[i].name, wish))
            return i;
    return -1;
}

/* Takes over what is known of the device; a limit that it does not tell counts as 0, and so fails a check later. */
static void stencil_describe_device(const stencil_candidate *candidate, stencil_device *device)
{
    cl_device_fp_config fp64 = 0;
    cl_ulong bytes[3] = {0, 0, 0};
    size_t sizes[16] = {0};
    memset(device, 0, sizeof *device);
    device->id = candidate->id;
    device->type = candidate->type;
    memcpy(device->name, candidate->name, sizeof device->name);
    clGetDeviceInfo(device->id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof fp64, &fp64, NULL);
    device->has_fp64 = fp64 != 0;
    clGetDeviceInfo(device->id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof device->single, &device->single, NULL);
    clGetDeviceInfo(device->id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof device->work_group_size,
                    &device->work_group_size, NULL);
    clGetDeviceInfo(device->id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL);
    memcpy(device->work_item_sizes, sizes, sizeof device->work_item_sizes);
    clGetDeviceInfo(device->id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof bytes[0], &bytes[0], NULL);
    clGetDeviceInfo(device->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof bytes[1], &bytes[1], NULL);
    clGetDeviceInfo(device->id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof bytes[2], &bytes[2], NULL);
    device->local_bytes = bytes[0];
    device->buffer_bytes = bytes[1];
    device->global_bytes = bytes[2];
}

/* Makes context and queue; profiling costs nothing as long as nobody keeps events. */
static int stencil_open_queue(stencil_device *device, cl_platform_id platform, stencil_failure *failure)
{
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    cl_int status = CL_SUCCESS;
    device->context = clCreateContext(properties, 1, &device->id, NULL, NULL, &status);
    if (!stencil_ok(failure, status, "clCreateContext"))
        return 0;
    device->queue = clCreateCommandQueue(device->context, device->id, CL_QUEUE_PROFILING_ENABLE, &status);
    if (stencil_ok(failure, status, "clCreateCommandQueue"))
        return 1;
    clReleaseContext(device->context);
    return 0;
}

/* Makes a device of the program's of a candidate. It is not open before somebody says so. */
static int stencil_add_device(stencil_shared *shared, const stencil_candidate *candidate)
{
    stencil_device *device = calloc(1, sizeof *device);
    if (!device)
        return stencil_no_memory(&shared->failure);
    stencil_describe_device(candidate, device);
    if (!stencil_open_queue(device, candidate->platform, &shared->failure)) {
        free(device);
        return 0;
    }
    device->next = shared->devices;
    STENCIL_PUT_FIRST(shared->devices, device);
    return 1;
}

static int stencil_try_to_open(stencil_shared *shared)
{
    const char *wish = getenv("STENCIL_DEVICE");
    stencil_candidate *candidates = calloc(STENCIL_MAX_DEVICES, sizeof *candidates);
    int count, chosen, is_added = 0;
    if (!candidates)
        return stencil_no_memory(&shared->failure);
    if (wish && strcmp(wish, "none") == 0) {
        stencil_fail(&shared->failure, "STENCIL_DEVICE=none");
    } else {
        count = stencil_list_devices(candidates, &shared->failure);
        chosen = stencil_choose_device(candidates, count, wish);
        if (count > 0 && chosen < 0)
            stencil_fail(&shared->failure, "no OpenCL device is STENCIL_DEVICE=%.100s (there are %d)", wish, count);
        else if (count > 0)
            is_added = stencil_add_device(shared, &candidates[chosen]);
    }
    free(candidates);
    return is_added;
}

/* Runs at the end of the program, before the handlers that OpenCL registered when it was loaded: what calls later, from
   a destructor say, must not meet an implementation that has gone. */
static void stencil_close_devices(void)
{
    for (stencil_device *device = stencil_shared_v9.devices; device; device = device->next)
        stencil_raise(&device->is_open, 0);
}

static void stencil_open_first(stencil_shared *shared)
{
    shared->process = stencil_process();
    if (!stencil_open_marked(shared, stencil_try_to_open))
        return;
    stencil_fail(&shared->failure, "the program is ending");
    stencil_raise(&shared->devices->is_open, atexit(stencil_close_devices) == 0);
}

/* The device that calls run on, which the first one opens; null if there is none. A forked child cannot use what its parent
   opened or was opening, nor open it again. */
static stencil_device *stencil_take_device(stencil_shared *shared, stencil_failure *failure)
{
    stencil_device *device;
    if (shared->process == 0)
        stencil_open_first(shared);
    stencil_notice_thread(shared);
    device = stencil_current_device(shared);
    if (shared->process != stencil_process() && (device || !shared->failure.reason[0])) {
        stencil_fail(failure, "this process was forked after its parent had opened the device");
        return NULL;
    }
    if (!device)
        *failure = shared->failure;
    return device;
}

static int stencil_is_cpu(const stencil_device *device)
{
    return (device->type & CL_DEVICE_TYPE_CPU) != 0;
}

static int stencil_is_pocl(cl_device_id device)
{
    cl_platform_id platform;
    char name[128] = "";
    return clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) == CL_SUCCESS &&
           clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL) == CL_SUCCESS &&
           strcmp(name, "Portable Computing Language") == 0;
}

/* Whether transfers lead to its memory; where it shares the host's, a mapping is the host's own view of a buffer. */
static int stencil_has_own_memory(const stencil_device *device)
{
    cl_bool is_shared = CL_FALSE;
    clGetDeviceInfo(device->id, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof is_shared, &is_shared, NULL);
    return !is_shared;
}

/* Work-groups that it runs at once, or its multiprocessors, of which each runs several. */
static cl_uint stencil_compute_units(const stencil_device *device)
{
    cl_uint units = 1;
    clGetDeviceInfo(device->id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    return units;
}

static void stencil_announce_device(stencil_device *device)
{
    char version[128] = "";
    if (device->is_announced)
        return;
    device->is_announced = 1;
    clGetDeviceInfo(device->id, CL_DEVICE_VERSION, sizeof version - 1, version, NULL);
    fprintf(stderr, "stencil: device %s, %s\n", device->name, version);
}
