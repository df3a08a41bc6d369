/* Launching kernels. */

/* Events wait here for their times to be read; the bound keeps a long run from hoarding them. */
enum { STENCIL_MAX_EVENTS = 256 };

typedef struct {
    stencil_work *work;
    cl_event events[STENCIL_MAX_EVENTS];
    int event_count;
} stencil_launcher;

static int stencil_set_int(stencil_work *work, cl_kernel kernel, cl_uint index, long long value)
{
    cl_int narrow = (cl_int)value;
    return stencil_ok(&work->failure, clSetKernelArg(kernel, index, sizeof narrow, &narrow), "clSetKernelArg");
}

static int stencil_set_long(stencil_work *work, cl_kernel kernel, cl_uint index, long long value)
{
    cl_long wide = (cl_long)value;
    return stencil_ok(&work->failure, clSetKernelArg(kernel, index, sizeof wide, &wide), "clSetKernelArg");
}

static int stencil_set_position(stencil_work *work, cl_kernel kernel, cl_uint index, long long value)
{
    return work->built->has_long_positions ? stencil_set_long(work, kernel, index, value)
                                           : stencil_set_int(work, kernel, index, value);
}

/* The buffer of a slot that an argument is. */
static int stencil_set_buffer(stencil_work *work, const stencil_arg *arg, cl_kernel kernel, cl_uint index, long long step)
{
    const stencil_slot *slot = stencil_slot_at(work, arg->field, step, arg->slot);
    const cl_mem *buffer = arg->kind == STENCIL_ARG_OTHER ? &slot->other : &slot->current;
    return stencil_ok(&work->failure, clSetKernelArg(kernel, index, sizeof *buffer, buffer), "clSetKernelArg");
}

static int stencil_set_arg(stencil_work *work, const stencil_kernel *described, cl_kernel kernel, cl_uint index,
                           long long step)
{
    const stencil_call *call = work->call;
    const stencil_arg *arg = &described->args[index];
    const stencil_scalar *scalar;
    switch (arg->kind) {
    case STENCIL_ARG_INPUT:
    case STENCIL_ARG_OUTPUT:
    case STENCIL_ARG_IN_PLACE:
    case STENCIL_ARG_OTHER:
        return stencil_set_buffer(work, arg, kernel, index, step);
    case STENCIL_ARG_ORIGIN:
        return stencil_set_position(work, kernel, index, work->placements[arg->layout].origin);
    case STENCIL_ARG_STRIDE:
        return stencil_set_position(work, kernel, index, work->placements[arg->layout].stride[arg->dimension]);
    case STENCIL_ARG_DOMAIN_LO:
        return stencil_set_int(work, kernel, index, call->sweeps[arg->sweep].domain.lo[arg->dimension]);
    case STENCIL_ARG_DOMAIN_HI:
        return stencil_set_int(work, kernel, index, call->sweeps[arg->sweep].domain.hi[arg->dimension]);
    case STENCIL_ARG_TILE_LO:
        return stencil_set_int(work, kernel, index, stencil_tile_lo(call, described, arg->dimension));
    case STENCIL_ARG_TILE_HI:
        return stencil_set_int(work, kernel, index, call->tiled.hi[arg->dimension]);
    case STENCIL_ARG_CHUNK:
        return stencil_set_int(work, kernel, index, stencil_tile_extent(work, described));
    case STENCIL_ARG_WHOLE_PARTS:
        return stencil_set_int(work, kernel, index, stencil_whole_parts(call, described));
    case STENCIL_ARG_STREAM_END:
        return stencil_set_int(work, kernel, index, stencil_stream_end(call, described));
    case STENCIL_ARG_SCALAR:
        scalar = &call->scalars[arg->scalar];
        return stencil_ok(&work->failure, clSetKernelArg(kernel, index, scalar->size, scalar->value), "clSetKernelArg");
    case STENCIL_ARG_STEP:
        return stencil_set_long(work, kernel, index, step);
    case STENCIL_ARG_SKIPPED:
        return stencil_set_int(work, kernel, index, arg->levels - described->levels);
    case STENCIL_ARG_RESULTS:
        return stencil_set_int(work, kernel, index, described->leaves_results);
    }
    return 0;
}

/* Adds up the times of the events kept so far. */
static int stencil_harvest(stencil_launcher *launcher)
{
    stencil_work *work = launcher->work;
    int is_good = launcher->event_count == 0 ||
                  stencil_ok(&work->failure, clWaitForEvents((cl_uint)launcher->event_count, launcher->events),
                             "clWaitForEvents");
    for (int i = 0; i < launcher->event_count; i++) {
        cl_ulong start = 0, end = 0;
        if (is_good &&
            clGetEventProfilingInfo(launcher->events[i], CL_PROFILING_COMMAND_START, sizeof start, &start, NULL) ==
                CL_SUCCESS &&
            clGetEventProfilingInfo(launcher->events[i], CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) ==
                CL_SUCCESS)
            work->kernel_seconds += 1e-9 * (double)(end - start);
        clReleaseEvent(launcher->events[i]);
    }
    launcher->event_count = 0;
    return is_good;
}

/* Keeps the device busy without letting commands pile up on the host. */
static int stencil_pace(stencil_launcher *launcher)
{
    stencil_work *work = launcher->work;
    work->launches++;
    if (launcher->event_count == STENCIL_MAX_EVENTS)
        return stencil_harvest(launcher);
    if (work->launches % 4096 == 0)
        return stencil_ok(&work->failure, clFinish(work->shared->queue), "clFinish");
    if (work->launches % 64 == 0)
        return stencil_ok(&work->failure, clFlush(work->shared->queue), "clFlush");
    return 1;
}

/* Puts what a launch has written in the place of what it has read. */
static void stencil_swap_buffers(stencil_work *work, const stencil_kernel *kernel, long long step)
{
    for (int i = 0; i < kernel->swap_count; i++) {
        stencil_slot *slot = stencil_slot_at(work, kernel->swaps[i].field, step, kernel->swaps[i].slot);
        cl_mem written = slot->other;
        slot->other = slot->current;
        slot->current = written;
    }
}

/* Launches one kernel when `step` steps are complete. */
static int stencil_launch(stencil_launcher *launcher, int index, long long step)
{
    stencil_work *work = launcher->work;
    const stencil_kernel *described = &work->plan->kernels[index];
    cl_kernel kernel = work->built->kernels[index];
    cl_event *event = work->options.is_verbose ? &launcher->events[launcher->event_count] : NULL;
    size_t global[3];
    cl_int status;
    if (!stencil_global_size(work, described, global))
        return stencil_fail(&work->failure, "there are too many tiles for device %s", work->shared->device.name);
    for (int i = 0; i < described->arg_count; i++)
        if (!stencil_set_arg(work, described, kernel, (cl_uint)i, step))
            return 0;
    status = clEnqueueNDRangeKernel(work->shared->queue, kernel, (cl_uint)described->rank, NULL, global,
                                    described->work_group, 0, NULL, event);
    if (!stencil_ok(&work->failure, status, "clEnqueueNDRangeKernel"))
        return 0;
    work->first_launch = work->first_launch > 0 ? work->first_launch : stencil_now();
    launcher->event_count += event != NULL;
    stencil_swap_buffers(work, described, step);
    return stencil_pace(launcher);
}

/* One step, sweep by sweep. */
static int stencil_launch_sweeps(stencil_launcher *launcher, long long step)
{
    const stencil_work *work = launcher->work;
    for (int k = 0; k < work->plan->kernel_count; k++) {
        const stencil_kernel *kernel = &work->plan->kernels[k];
        if (kernel->levels > 0)
            continue;
        if (stencil_is_empty(work->call->sweeps[kernel->sweep].rank, &work->call->sweeps[kernel->sweep].domain))
            continue;
        if (!stencil_launch(launcher, k, step))
            return 0;
    }
    return 1;
}

/* Single steps in place of one launch. */
static int stencil_replace_launch(stencil_launcher *launcher, int levels, long long step)
{
    for (int i = 0; i < levels; i++)
        if (!stencil_launch_sweeps(launcher, step + i))
            return 0;
    return stencil_count_replaced(launcher->work, levels, launcher->work->call->steps - step - levels);
}

static int stencil_launch_tiles(stencil_launcher *launcher, int kernel, long long step)
{
    stencil_work *work = launcher->work;
    if (work->climb.is_low)
        return stencil_replace_launch(launcher, work->plan->kernels[kernel].levels, step);
    work->built->is_cold = 0;
    return stencil_launch(launcher, kernel, step);
}

static int stencil_launch_phase(stencil_launcher *launcher, const stencil_phase *phase)
{
    int levels = phase->kernel < 0 ? 1 : launcher->work->plan->kernels[phase->kernel].levels;
    for (long long i = 0; i < phase->count; i++) {
        long long step = phase->first_step + i * levels;
        if (!(phase->kernel < 0 ? stencil_launch_sweeps(launcher, step)
                                : stencil_launch_tiles(launcher, phase->kernel, step)))
            return 0;
    }
    return 1;
}

/* Whether any sweep computes a cell. */
static int stencil_has_cells(const stencil_call *call)
{
    for (int i = 0; i < call->sweep_count; i++)
        if (!stencil_is_empty(call->sweeps[i].rank, &call->sweeps[i].domain))
            return 1;
    return 0;
}

/* Runs all phases and waits for their end. */
static int stencil_launch_all(stencil_work *work)
{
    stencil_launcher launcher;
    int is_good = 1;
    if (!stencil_has_cells(work->call))
        return 1;
    launcher.work = work;
    launcher.event_count = 0;
    stencil_begin_climb(work);
    for (int p = 0; is_good && p < work->phase_count; p++)
        is_good = stencil_launch_phase(&launcher, &work->phases[p]);
    if (!stencil_harvest(&launcher))
        return 0;
    return is_good && stencil_ok(&work->failure, clFinish(work->shared->queue), "clFinish");
}
