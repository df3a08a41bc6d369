/* Build options: what kernels may use of a device, and what its compiler must be told. */

static int stencil_is_nvidia(cl_device_id device)
{
    char vendor[128] = "";
    return clGetDeviceInfo(device, CL_DEVICE_VENDOR, sizeof vendor - 1, vendor, NULL) == CL_SUCCESS &&
           strncmp(vendor, "NVIDIA", 6) == 0;
}

/* Whether `list` has the word `name`, words being separated by spaces. */
static int stencil_has_word(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *found = strstr(list, name); found; found = strstr(found + length, name))
        if ((found == list || found[-1] == ' ') && (found[length] == ' ' || found[length] == '\0'))
            return 1;
    return 0;
}

static int stencil_has_extensions(cl_device_id device, const char *one, const char *other)
{
    size_t bytes = 0;
    char *list;
    int has_both;
    if (clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, NULL, &bytes) != CL_SUCCESS)
        return 0;
    list = calloc(bytes + 1, 1);
    if (!list)
        return 0;
    has_both = clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, bytes, list, NULL) == CL_SUCCESS &&
               stencil_has_word(list, one) && stencil_has_word(list, other);
    free(list);
    return has_both;
}

/* The major version of OpenCL that the device has, 0 if it does not tell. */
static int stencil_opencl_major(cl_device_id device)
{
    char version[128] = "";
    int major = 0;
    if (clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version - 1, version, NULL) != CL_SUCCESS ||
        sscanf(version, "OpenCL %d.", &major) != 1)
        return 0;
    return major;
}

enum { STENCIL_NVIDIA_CAPABILITY = 0x4000 }; /* the major one, of cl_nv_device_attribute_query */

/* Whether the device's compiler takes prefetches that ask the cache to keep what they bring: PTX of version 7.4, which came
   with driver 470, for devices of capability 8.0. */
static int stencil_keeps_lines(cl_device_id device)
{
    cl_uint major = 0;
    char driver[64] = "";
    return stencil_is_nvidia(device) &&
           clGetDeviceInfo(device, STENCIL_NVIDIA_CAPABILITY, sizeof major, &major, NULL) == CL_SUCCESS &&
           clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof driver - 1, driver, NULL) == CL_SUCCESS && major >= 8 &&
           atoi(driver) >= 470;
}

enum { STENCIL_SUB_GROUP_SIZES = 0x4108, STENCIL_LANES = 32 }; /* the first of cl_intel_required_subgroup_size */

/* Whether kernels can demand sub-groups of 32 work-items and exchange registers in them. */
static int stencil_has_shuffles(const stencil_device *device)
{
    size_t sizes[16] = {0}, bytes = 0;
    if (stencil_opencl_major(device->id) < 2 ||
        !stencil_has_extensions(device->id, "cl_khr_subgroup_shuffle", "cl_intel_required_subgroup_size") ||
        clGetDeviceInfo(device->id, STENCIL_SUB_GROUP_SIZES, sizeof sizes, sizes, &bytes) != CL_SUCCESS)
        return 0;
    for (size_t i = 0; i < bytes / sizeof *sizes && i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] == STENCIL_LANES)
            return 1;
    return 0;
}

/* Whether two kernels of a plan are one function on the device. */
static int stencil_is_same_text(const stencil_plan *plan, int one, int other)
{
    return strcmp(plan->kernels[one].name, plan->kernels[other].name) == 0;
}

/* Whether a kernel is so with the one before it. */
static int stencil_shares_text(const stencil_plan *plan, int kernel)
{
    return kernel > 0 && stencil_is_same_text(plan, kernel, kernel - 1);
}

/* The bits of the kernels that are wanted: one for each text of kernels of levels > 0, in order, and one for all others. */
static unsigned stencil_wanted_bits(const stencil_built *built)
{
    unsigned bits = 0, bit = 1;
    for (int k = 0; k < built->plan->kernel_count; k++) {
        if (k > 0 && built->plan->kernels[k - 1].levels > 0 && !stencil_shares_text(built->plan, k) && bit < 1u << 30)
            bit <<= 1;
        if (built->usability[k] == STENCIL_WANTED)
            bits |= bit;
    }
    return bits;
}

/* Whether the device's compiler lets the first work-item of a group decide conditions behind the last barrier of a branch for all
   of them, also where it optimises nothing: PoCL 5.0 does so, PoCL 3.1 does not. */
static int stencil_confuses_branches(cl_device_id device)
{
    char driver[64] = "";
    return stencil_is_pocl(device) &&
           clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof driver - 1, driver, NULL) == CL_SUCCESS && atoi(driver) > 3;
}

/* Build options of the wanted kernels; the caller frees them. Sub-groups need OpenCL C 2.0 or 3.0, which is not the default.
   NVIDIA's log tells registers only if it is asked to. Compilers for CPUs run the work-items of a group one after the other
   from barrier to barrier: PoCL loses stores when it optimises before it looks for barriers inside loops and branches.
   CPUs' own plans have none of these. */
static char *stencil_join_options(const stencil_built *built, const stencil_device *device, const stencil_options *user)
{
    const stencil_nest *nest = built->nest;
    const stencil_plan *plan = built->plan;
    const char *given = nest->build_options ? nest->build_options : "";
    int asks_registers = user->shows_build_log && stencil_is_nvidia(device->id);
    const char *sub_groups = !built->has_sub_groups                   ? ""
                             : stencil_opencl_major(device->id) == 2 ? " -cl-std=CL2.0 -D STENCIL_SUB_GROUPS"
                                                                      : " -cl-std=CL3.0 -D STENCIL_SUB_GROUPS";
    const char *position = built->has_long_positions ? "long" : "int";
    size_t bytes = strlen(given) + 300;
    char *options = malloc(bytes);
    if (options)
        snprintf(options, bytes,
                 "%s -D STENCIL_NEST=%d -D STENCIL_PLAN=%d -D STENCIL_KERNELS=%u -D STENCIL_POSITION=%s%s%s%s%s%s%s",
                 given, nest->number, plan->number, stencil_wanted_bits(built), position, sub_groups,
                 stencil_keeps_lines(device->id) ? " -D STENCIL_KEEPS_LINES" : "",
                 nest->needs_exact_float ? " -cl-fp32-correctly-rounded-divide-sqrt" : "",
                 asks_registers ? " -cl-nv-verbose" : "",
                 plan->has_nested_barriers && stencil_is_cpu(device) ? " -cl-opt-disable" : "",
                 stencil_confuses_branches(device->id) ? " -D STENCIL_MAY_CHOOSE=0" : "");
    return options;
}
