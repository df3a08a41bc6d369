/* Reasons for failure, and what the user reads on stderr. */

/* Sets the reason and returns 0, for `return stencil_fail(...)`. */
static int stencil_fail(stencil_failure *failure, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(failure->reason, sizeof failure->reason, format, values);
    va_end(values);
    failure->detail[0] = '\0';
    return 0;
}

/* The same with numbers that belong to this call alone. */
static int stencil_fail_detailed(stencil_failure *failure, const char *reason, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(failure->detail, sizeof failure->detail, format, values);
    va_end(values);
    snprintf(failure->reason, sizeof failure->reason, "%s", reason);
    return 0;
}

static int stencil_no_memory(stencil_failure *failure)
{
    return stencil_fail(failure, "out of host memory");
}

static const char *stencil_error_name(cl_int status)
{
    static const char *const runtime[] = {
        "success", "device not found", "device not available", "compiler not available",
        "memory object allocation failure", "out of resources", "out of host memory",
        "profiling info not available", "memory copy overlap", "image format mismatch",
        "image format not supported", "build program failure", "map failure", "misaligned sub-buffer offset",
        "failed status of an event in a wait list", "compile program failure", "linker not available",
        "link program failure", "device partition failed", "kernel argument info not available",
    };
    static const char *const misuse[] = {
        "invalid value", "invalid device type", "invalid platform", "invalid device", "invalid context",
        "invalid queue properties", "invalid command queue", "invalid host pointer", "invalid memory object",
        "invalid image format descriptor", "invalid image size", "invalid sampler", "invalid binary",
        "invalid build options", "invalid program", "invalid program executable", "invalid kernel name",
        "invalid kernel definition", "invalid kernel", "invalid argument index", "invalid argument value",
        "invalid argument size", "invalid kernel arguments", "invalid work dimension", "invalid work-group size",
        "invalid work-item size", "invalid global offset", "invalid event wait list", "invalid event",
        "invalid operation", "invalid GL object", "invalid buffer size", "invalid mip level",
        "invalid global work size", "invalid property",
    };
    const int runtime_count = (int)(sizeof runtime / sizeof *runtime);
    const int misuse_count = (int)(sizeof misuse / sizeof *misuse);
    if (status <= 0 && status > -runtime_count)
        return runtime[-status];
    if (status <= -30 && status > -30 - misuse_count)
        return misuse[-30 - status];
    return "error of the implementation";
}

/* 1 if the OpenCL call succeeded; otherwise sets the reason. */
static int stencil_ok(stencil_failure *failure, cl_int status, const char *call)
{
    if (status == CL_SUCCESS)
        return 1;
    return stencil_fail(failure, "%s failed: %s (error %d)", call, stencil_error_name(status), (int)status);
}

/* Whether the reason was told before for this nest; remembers it otherwise. */
static int stencil_was_said(const stencil_nest *nest, const char *reason)
{
    stencil_said *said = stencil_shared_v9.said;
    for (; said; said = said->next)
        if (said->nest == nest && strcmp(said->reason, reason) == 0)
            return 1;
    said = malloc(sizeof *said);
    if (said) {
        said->nest = nest;
        snprintf(said->reason, sizeof said->reason, "%s", reason);
        said->next = stencil_shared_v9.said;
        stencil_shared_v9.said = said;
    }
    return 0;
}

/* Ends the program; what runs at its exit may call again. */
static void stencil_end_program(void)
{
    stencil_unlock();
    exit(1);
}

/* The device cannot be used. Returns if the original loops may run instead. */
static void stencil_report_failure(const stencil_nest *nest, const stencil_options *options,
                                   const stencil_failure *failure)
{
    const char *open = failure->detail[0] ? " (" : "", *close = failure->detail[0] ? ")" : "";
    if (nest->no_fallback || options->is_strict) {
        fprintf(stderr, "%s: %s: cannot run on a device, %s: %s%s%s%s\n", nest->where, nest->name,
                nest->no_fallback ? "and the program has no original loops to run instead"
                                    : "and STENCIL_STRICT forbids the original loops",
                failure->reason, open, failure->detail, close);
        stencil_end_program();
    }
    if (!options->is_quiet && !stencil_was_said(nest, failure->reason))
        fprintf(stderr, "%s: %s: running the original loops: %s%s%s%s\n", nest->where, nest->name,
                failure->reason, open, failure->detail, close);
}
