/* Launching kernels. */

/* Events wait here for their times to be read; the bound keeps a long run from hoarding them. */
enum { STENCIL_MAX_EVENTS = 256 };

typedef struct {
    stencil_session *session;
    cl_event events[STENCIL_MAX_EVENTS];
    int event_count;
} stencil_launcher;

static int stencil_set_int(stencil_session *session, cl_kernel kernel, cl_uint index, long long value)
{
    cl_int narrow = (cl_int)value;
    return stencil_ok(&session->failure, clSetKernelArg(kernel, index, sizeof narrow, &narrow), "clSetKernelArg");
}

static int stencil_set_long(stencil_session *session, cl_kernel kernel, cl_uint index, long long value)
{
    cl_long wide = (cl_long)value;
    return stencil_ok(&session->failure, clSetKernelArg(kernel, index, sizeof wide, &wide), "clSetKernelArg");
}

static int stencil_set_position(stencil_session *session, cl_kernel kernel, cl_uint index, long long value)
{
    return session->built->has_long_positions ? stencil_set_long(session, kernel, index, value)
                                           : stencil_set_int(session, kernel, index, value);
}

/* The buffer of a slot that an argument is. */
static int stencil_set_buffer(stencil_session *session, const stencil_arg *arg, cl_kernel kernel, cl_uint index, long long step)
{
    const stencil_slot *slot = stencil_slot_at(session, arg->field, step, arg->slot);
    const cl_mem *buffer = arg->kind == STENCIL_ARG_OTHER ? &slot->other : &slot->current;
    return stencil_ok(&session->failure, clSetKernelArg(kernel, index, sizeof *buffer, buffer), "clSetKernelArg");
}

static int stencil_set_arg(stencil_session *session, const stencil_kernel *described, cl_kernel kernel, cl_uint index,
                           long long step)
{
    const stencil_call *call = session->call;
    const stencil_arg *arg = &described->args[index];
    const stencil_scalar *scalar;
    switch (arg->kind) {
    case STENCIL_ARG_INPUT:
    case STENCIL_ARG_OUTPUT:
    case STENCIL_ARG_IN_PLACE:
    case STENCIL_ARG_OTHER:
        return stencil_set_buffer(session, arg, kernel, index, step);
    case STENCIL_ARG_ORIGIN:
        return stencil_set_position(session, kernel, index, session->placements[arg->layout].origin);
    case STENCIL_ARG_STRIDE:
        return stencil_set_position(session, kernel, index, session->placements[arg->layout].stride[arg->dimension]);
    case STENCIL_ARG_DOMAIN_LO:
        return stencil_set_int(session, kernel, index, call->sweeps[arg->sweep].domain.lo[arg->dimension]);
    case STENCIL_ARG_DOMAIN_HI:
        return stencil_set_int(session, kernel, index, call->sweeps[arg->sweep].domain.hi[arg->dimension]);
    case STENCIL_ARG_TILE_LO:
        return stencil_set_int(session, kernel, index, stencil_tile_lo(call, described, arg->dimension));
    case STENCIL_ARG_TILE_HI:
        return stencil_set_int(session, kernel, index, call->tiled.hi[arg->dimension]);
    case STENCIL_ARG_CHUNK:
        return stencil_set_int(session, kernel, index, stencil_tile_extent(session, described));
    case STENCIL_ARG_WHOLE_PARTS:
        return stencil_set_int(session, kernel, index, stencil_whole_parts(call, described));
    case STENCIL_ARG_STREAM_END:
        return stencil_set_int(session, kernel, index, stencil_stream_end(call, described));
    case STENCIL_ARG_SCALAR:
        scalar = &call->scalars[arg->scalar];
        return stencil_ok(&session->failure, clSetKernelArg(kernel, index, scalar->size, scalar->value), "clSetKernelArg");
    case STENCIL_ARG_STEP:
        return stencil_set_long(session, kernel, index, step);
    case STENCIL_ARG_SKIPPED:
        return stencil_set_int(session, kernel, index, arg->levels - described->levels);
    case STENCIL_ARG_HELD:
        return stencil_ok(&session->failure, clSetKernelArg(kernel, index, sizeof *session->held, &session->held[arg->room]),
                          "clSetKernelArg");
    case STENCIL_ARG_RESULTS:
        return stencil_set_int(session, kernel, index, described->leaves_results);
    }
    return 0;
}

/* Adds up the times of the events kept so far. */
static int stencil_harvest(stencil_launcher *launcher)
{
    stencil_session *session = launcher->session;
    double seconds = 0;
    int is_good = launcher->event_count == 0 ||
                  stencil_ok(&session->failure, clWaitForEvents((cl_uint)launcher->event_count, launcher->events),
                             "clWaitForEvents");
    for (int i = 0; i < launcher->event_count; i++) {
        cl_ulong start = 0, end = 0;
        if (is_good &&
            clGetEventProfilingInfo(launcher->events[i], CL_PROFILING_COMMAND_START, sizeof start, &start, NULL) ==
                CL_SUCCESS &&
            clGetEventProfilingInfo(launcher->events[i], CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) ==
                CL_SUCCESS)
            seconds += 1e-9 * (double)(end - start);
        clReleaseEvent(launcher->events[i]);
    }
    launcher->event_count = 0;
    session->seconds[STENCIL_KERNELS] += seconds;
    session->seconds[STENCIL_LAUNCHING] -= seconds;
    return is_good;
}

/* Keeps the device busy without letting commands pile up on the host. */
static int stencil_throttle(stencil_launcher *launcher)
{
    stencil_session *session = launcher->session;
    session->launches++;
    if (launcher->event_count == STENCIL_MAX_EVENTS)
        return stencil_harvest(launcher);
    if (session->launches % 4096 == 0)
        return stencil_ok(&session->failure, clFinish(session->device->queue), "clFinish");
    if (session->launches % 64 == 0)
        return stencil_ok(&session->failure, clFlush(session->device->queue), "clFlush");
    return 1;
}

/* Puts what a launch has written in the place of what it has read. */
static void stencil_swap_buffers(stencil_session *session, const stencil_kernel *kernel, long long step)
{
    for (int i = 0; i < kernel->swap_count; i++) {
        stencil_slot *slot = stencil_slot_at(session, kernel->swaps[i].field, step, kernel->swaps[i].slot);
        cl_mem written = slot->other;
        slot->other = slot->current;
        slot->current = written;
    }
}

/* Remembers what is lacking of the results behind a launch of several steps. */
static void stencil_note_tiles(stencil_session *session, const stencil_kernel *kernel)
{
    session->lacking_before = session->lacking;
    session->lacking = stencil_lacking_behind(session, kernel);
    session->last_open = kernel->leaves_results ? NULL : kernel;
}

/* The same behind a single step. */
static void stencil_note_single_step(stencil_session *session)
{
    session->lacking -= session->lacking > 0;
    session->last_open = NULL;
}

/* Launches one kernel when `step` steps are complete. */
static int stencil_launch(stencil_launcher *launcher, int index, long long step)
{
    stencil_session *session = launcher->session;
    const stencil_kernel *described = &session->plan->kernels[index];
    cl_kernel kernel = session->built->kernels[index];
    cl_event *event = session->options.is_verbose ? &launcher->events[launcher->event_count] : NULL;
    size_t global[3];
    cl_int status;
    if (!stencil_global_size(session, described, global))
        return stencil_fail(&session->failure, "there are too many tiles for device %s", session->device->name);
    for (int i = 0; i < described->arg_count; i++)
        if (!stencil_set_arg(session, described, kernel, (cl_uint)i, step))
            return 0;
    status = clEnqueueNDRangeKernel(session->device->queue, kernel, (cl_uint)described->rank, NULL, global,
                                    described->work_group, 0, NULL, event);
    if (!stencil_ok(&session->failure, status, "clEnqueueNDRangeKernel"))
        return 0;
    session->first_launch = session->first_launch > 0 ? session->first_launch : stencil_now();
    launcher->event_count += event != NULL;
    stencil_swap_buffers(session, described, step);
    if (described->levels > 1)
        stencil_note_tiles(session, described);
    else if (described->levels == 1)
        stencil_note_single_step(session);
    return stencil_throttle(launcher);
}

/* One step, sweep by sweep. */
static int stencil_launch_sweeps(stencil_launcher *launcher, long long step)
{
    const stencil_session *session = launcher->session;
    for (int k = 0; k < session->plan->kernel_count; k++) {
        const stencil_kernel *kernel = &session->plan->kernels[k];
        if (kernel->levels > 0)
            continue;
        if (stencil_is_empty(session->call->sweeps[kernel->sweep].rank, &session->call->sweeps[kernel->sweep].domain))
            continue;
        if (!stencil_launch(launcher, k, step))
            return 0;
    }
    stencil_note_single_step(launcher->session);
    return 1;
}

/* Single steps in place of one launch. */
static int stencil_replace_launch(stencil_launcher *launcher, int levels, long long step)
{
    stencil_session *session = launcher->session;
    for (int i = 0; i < levels; i++)
        if (!stencil_launch_sweeps(launcher, step + i))
            return 0;
    return stencil_count_replaced(session, levels, session->step + session->asked - step - levels);
}

static int stencil_launch_tiles(stencil_launcher *launcher, int kernel, long long step)
{
    stencil_session *session = launcher->session;
    if (session->climb.is_low)
        return stencil_replace_launch(launcher, session->plan->kernels[kernel].levels, step);
    session->built->is_cold = 0;
    return stencil_launch(launcher, kernel, step);
}

static int stencil_launch_phase(stencil_launcher *launcher, const stencil_phase *phase)
{
    int levels = phase->kernel < 0 ? 1 : launcher->session->plan->kernels[phase->kernel].levels;
    for (long long i = 0; i < phase->count; i++) {
        long long step = launcher->session->step + phase->first_step + i * levels;
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
static int stencil_launch_all(stencil_session *session)
{
    stencil_launcher launcher;
    int is_good = 1;
    if (!stencil_has_cells(session->call))
        return 1;
    launcher.session = session;
    launcher.event_count = 0;
    stencil_begin_climb(session);
    for (int p = 0; is_good && p < session->phase_count; p++)
        is_good = stencil_launch_phase(&launcher, &session->phases[p]);
    if (!stencil_harvest(&launcher))
        return 0;
    return is_good && stencil_ok(&session->failure, clFinish(session->device->queue), "clFinish");
}
