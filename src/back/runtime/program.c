/* Compiling the kernels of a plan, each once per program and when a call first wants it. */

/* Joins the lines of the kernel text; the caller frees it. */
static char *stencil_join_source(const stencil_nest *nest)
{
    size_t bytes = 1, length;
    char *text, *end;
    for (unsigned i = 0; i < nest->source_lines; i++)
        bytes += strlen(nest->source[i]) + 1;
    end = text = malloc(bytes);
    if (!text)
        return NULL;
    for (unsigned i = 0; i < nest->source_lines; i++) {
        length = strlen(nest->source[i]);
        memcpy(end, nest->source[i], length);
        end += length;
        if (length == 0 || end[-1] != '\n')
            *end++ = '\n';
    }
    *end = '\0';
    return text;
}

static void stencil_print_build_log(cl_program program, cl_device_id device)
{
    size_t bytes = 0;
    char *log;
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes) != CL_SUCCESS || bytes == 0)
        return;
    log = calloc(bytes + 1, 1);
    if (log && clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL) == CL_SUCCESS)
        fprintf(stderr, "%s\n", log);
    free(log);
}

/* Takes the wanted kernels back, as if they had never been. */
static void stencil_release_wanted(stencil_built *built)
{
    for (int k = 0; k < built->plan->kernel_count; k++) {
        if (built->usability[k] != STENCIL_WANTED || !built->kernels[k])
            continue;
        clReleaseKernel(built->kernels[k]);
        built->kernels[k] = NULL;
    }
    memset(&built->failure, 0, sizeof built->failure);
}

/* Kernels keep the program that they come from. */
static int stencil_create_kernels(stencil_built *built, cl_program program)
{
    cl_int status;
    for (int k = 0; k < built->plan->kernel_count; k++) {
        if (built->usability[k] != STENCIL_WANTED)
            continue;
        built->kernels[k] = clCreateKernel(program, built->plan->kernels[k].name, &status);
        if (!stencil_ok(&built->failure, status, "clCreateKernel"))
            return 0;
    }
    return 1;
}

static int stencil_compile_source(stencil_built *built, const stencil_device *device, const stencil_cache *cache,
                                  const char *source, const char *options, const stencil_options *user)
{
    cl_int status = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(device->context, 1, &source, NULL, &status);
    int is_good;
    if (!stencil_ok(&built->failure, status, "clCreateProgramWithSource"))
        return 0;
    status = clBuildProgram(program, 1, &device->id, options, NULL, NULL);
    if (status == CL_SUCCESS ? user->shows_build_log : user->is_verbose)
        stencil_print_build_log(program, device->id);
    is_good = stencil_ok(&built->failure, status, "clBuildProgram") && stencil_create_kernels(built, program);
    if (is_good)
        stencil_store_cached(cache, program);
    clReleaseProgram(program);
    return is_good;
}

/* Takes the kernels from the cache; 0 if it has none that work. */
static int stencil_take_cached(stencil_built *built, const stencil_cache *cache, const stencil_device *device,
                               const char *options)
{
    cl_program program = stencil_load_cached(cache, device->context, device->id, options);
    int is_good;
    if (!program)
        return 0;
    is_good = stencil_create_kernels(built, program);
    clReleaseProgram(program);
    if (is_good) {
        stencil_say_cached(cache, "is taken from the cache", NULL);
        return 1;
    }
    stencil_forget_cached(cache, "it lacks a kernel");
    stencil_release_wanted(built);
    return 0;
}

/* Takes the wanted kernels from the cache, or else compiles them. */
static int stencil_take_or_compile(stencil_built *built, const stencil_device *device, const stencil_cache *cache,
                                   const char *source, const char *options, const stencil_options *user)
{
    return stencil_take_cached(built, cache, device, options) ||
           stencil_compile_source(built, device, cache, source, options, user);
}

/* The same for a cache that has still to be opened; without `compiles` what it lacks stays wanted. */
static int stencil_build_variant(stencil_built *built, const stencil_device *device, const char *source,
                                 const stencil_options *user, int compiles)
{
    char *options = stencil_join_options(built, device, user);
    stencil_cache cache;
    int is_good;
    if (!options)
        return stencil_no_memory(&built->failure);
    stencil_open_cache(&cache, device->id, source, options, user);
    is_good = compiles ? stencil_take_or_compile(built, device, &cache, source, options, user)
                       : stencil_take_cached(built, &cache, device, options);
    stencil_close_cache(&cache);
    free(options);
    return is_good;
}

/* Takes the wanted kernels from the cache and does not compile them. */
static int stencil_take_wanted(stencil_built *built, const stencil_device *device, const stencil_options *user)
{
    double start = stencil_now();
    char *source = stencil_join_source(built->nest);
    int is_taken = source && stencil_build_variant(built, device, source, user, 0);
    free(source);
    built->seconds += stencil_now() - start;
    return is_taken;
}

/* A device may have sub-groups and yet none of this size for these kernels, which do without. */
static int stencil_build_program(stencil_built *built, const stencil_device *device, const stencil_options *user)
{
    double start = stencil_now();
    char *source = stencil_join_source(built->nest);
    int is_good;
    if (!source)
        return stencil_no_memory(&built->failure);
    is_good = stencil_build_variant(built, device, source, user, 1);
    if (!is_good && built->has_sub_groups) {
        stencil_release_wanted(built);
        built->has_sub_groups = 0;
        is_good = stencil_build_variant(built, device, source, user, 1);
    }
    free(source);
    built->seconds += stencil_now() - start;
    return is_good;
}

/* Whether the device has room for a work-group of the kernel, as far as the plan tells. */
static int stencil_is_group_allowed(const stencil_plan *plan, const stencil_kernel *kernel,
                                    const stencil_device *device, size_t *items)
{
    *items = 1;
    for (int d = 0; d < kernel->rank; d++) {
        if (kernel->work_group[d] == 0 || kernel->work_group[d] > device->work_item_sizes[d] ||
            kernel->work_group[d] > device->work_group_size / *items)
            return 0;
        *items *= kernel->work_group[d];
    }
    return kernel->levels == 0 || plan->local_bytes <= device->local_bytes;
}

/* Whether the device can run a work-group of the kernel; a tile kernel may need too much local memory or too many
   registers. NVIDIA's limit is that of kernels without a required size: one that was compiled for its size has the
   registers, unless it cannot run at all. */
static int stencil_is_kernel_usable(const stencil_built *built, const stencil_device *device, int index)
{
    const stencil_kernel *kernel = &built->plan->kernels[index];
    size_t items, limit = 0, compiled[3] = {0, 0, 0};
    cl_ulong local = 0;
    if (!stencil_is_group_allowed(built->plan, kernel, device, &items))
        return 0;
    if (clGetKernelWorkGroupInfo(built->kernels[index], device->id, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof compiled,
                                 compiled, NULL) != CL_SUCCESS ||
        clGetKernelWorkGroupInfo(built->kernels[index], device->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof limit, &limit,
                                 NULL) != CL_SUCCESS ||
        clGetKernelWorkGroupInfo(built->kernels[index], device->id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local,
                                 NULL) != CL_SUCCESS)
        return 0;
    if (local > device->local_bytes || limit == 0)
        return 0;
    return items <= limit || memcmp(compiled, kernel->work_group, sizeof compiled) == 0;
}

/* Tells why shallower tiles or single steps take a kernel's place. */
static void stencil_say_unusable(const stencil_built *built, const stencil_device *device, int index)
{
    const char *name = built->plan->kernels[index].name;
    if (built->plan->kernels[index].levels > 0 && built->plan->local_bytes > device->local_bytes)
        fprintf(stderr, "%s: %s is not used: it needs %llu bytes of local memory, the device has %llu\n",
                built->nest->where, name, (unsigned long long)built->plan->local_bytes, device->local_bytes);
    else
        fprintf(stderr, "%s: %s is not used: its work-group needs more than the device has\n", built->nest->where,
                name);
}

/* Settles for the wanted kernels, which are compiled, whether the device can run them. */
static void stencil_judge_wanted(stencil_built *built, const stencil_device *device, const stencil_options *user)
{
    for (int k = 0; k < built->plan->kernel_count; k++) {
        if (built->usability[k] != STENCIL_WANTED)
            continue;
        built->usability[k] = stencil_is_kernel_usable(built, device, k) ? STENCIL_USABLE : STENCIL_UNUSABLE;
        if (built->usability[k] == STENCIL_UNUSABLE && user->shows_build_log)
            stencil_say_unusable(built, device, k);
    }
}

/* Compiles the kernels that are wanted, if there are any. A failure lasts like a success. */
static void stencil_build_wanted(stencil_built *built, const stencil_device *device, const stencil_options *user)
{
    if (stencil_wanted_bits(built) == 0)
        return;
    built->is_good = stencil_build_program(built, device, user);
    if (built->is_good)
        stencil_judge_wanted(built, device, user);
}

/* Gives back all but the kernels. */
static void stencil_free_built(stencil_built *built)
{
    if (!built)
        return;
    free(built->kernels);
    free(built->usability);
    free(built);
}

static stencil_built *stencil_new_built(const stencil_nest *nest, const stencil_plan *plan)
{
    size_t count = (size_t)plan->kernel_count;
    stencil_built *built = calloc(1, sizeof *built);
    if (!built)
        return NULL;
    built->nest = nest;
    built->plan = plan;
    built->is_good = 1;
    built->kernels = calloc(count, sizeof *built->kernels);
    built->usability = calloc(count, sizeof *built->usability);
    if (built->kernels && built->usability)
        return built;
    stencil_free_built(built);
    return NULL;
}

/* Leaves out what is for CPUs if the device is none, and what the device has no room for: such a kernel may not compile, and
   the others of its text with it. */
static void stencil_leave_out_kernels(stencil_built *built, const stencil_device *device, const stencil_options *user)
{
    size_t items;
    for (int k = 0; k < built->plan->kernel_count; k++) {
        int is_allowed = stencil_is_group_allowed(built->plan, &built->plan->kernels[k], device, &items);
        if (!is_allowed && user->shows_build_log)
            stencil_say_unusable(built, device, k);
        if (!is_allowed || (built->plan->kernels[k].is_for_cpus && !stencil_is_cpu(device)))
            built->usability[k] = STENCIL_UNUSABLE;
    }
}

/* What has been compiled of the plan for positions of this type, nothing at first; null if the host is out of memory. */
static stencil_built *stencil_find_built(stencil_device *device, const stencil_nest *nest, const stencil_plan *plan,
                                         int has_long_positions, const stencil_options *user)
{
    stencil_built *built = device->built;
    while (built &&
           (built->nest != nest || built->plan != plan || built->has_long_positions != has_long_positions))
        built = built->next;
    if (built)
        return built;
    built = stencil_new_built(nest, plan);
    if (!built)
        return NULL;
    stencil_leave_out_kernels(built, device, user);
    built->has_long_positions = has_long_positions;
    built->has_sub_groups = plan->has_sub_groups && stencil_has_shuffles(device);
    built->next = device->built;
    device->built = built;
    return built;
}
