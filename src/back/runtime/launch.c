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

/* `output` selects the buffer that a launch writes: the other one, if it also reads this slot and is no sweep kernel. */
static int stencil_set_buffer(stencil_work *work, const stencil_kernel *described, cl_kernel kernel, cl_uint index,
                              long long step)
{
    const stencil_arg *arg = &described->args[index];
    const stencil_slot *slot = stencil_slot_at(work, arg->a, step, arg->b);
    int is_swapped = 0;
    for (int i = 0; described->levels > 0 && arg->kind == STENCIL_ARG_OUTPUT && i < described->arg_count; i++)
        if (described->args[i].kind == STENCIL_ARG_INPUT && described->args[i].a == arg->a &&
            stencil_slot_at(work, arg->a, step, described->args[i].b) == slot)
            is_swapped = 1;
    return stencil_ok(&work->failure,
                      clSetKernelArg(kernel, index, sizeof(cl_mem), is_swapped ? &slot->other : &slot->current),
                      "clSetKernelArg");
}

/* Tiles that a device should have for each of its compute units, so that none waits long for the others. */
enum { STENCIL_TILES_A_UNIT = 4 };

/* Cells of a tile's core along dimension 0. Where tiles may be shortened, all are about as long, and there are enough of
   them for all compute units. */
static long long stencil_tile_extent(const stencil_work *work, const stencil_kernel *kernel)
{
    const stencil_box *box = &work->call->tiled;
    long long wanted = (long long)work->compute_units * STENCIL_TILES_A_UNIT, beside = 1;
    long long extent = kernel->tile[0], rows, parts, chunk;
    if (kernel->least_chunk == 0 || !stencil_extent(box->lo[0], box->hi[0], &rows))
        return extent;
    for (int d = 1; d < work->call->rank && beside < wanted; d++)
        beside *= stencil_tiles(work->call, kernel, d, kernel->tile[d]);
    parts = stencil_divide_up(wanted, beside);
    if (parts < stencil_divide_up(rows, extent))
        parts = stencil_divide_up(rows, extent);
    chunk = stencil_divide_up(rows, parts);
    if (chunk < kernel->least_chunk)
        chunk = kernel->least_chunk;
    return chunk < extent ? chunk : extent;
}

/* Cells at each end of dimension 0 that are tiles of their own. The others are to reach no end of a sweep's domain, so they
   keep clear of domains that end a little within the tiled box. */
static long long stencil_stream_end(const stencil_call *call, const stencil_kernel *kernel)
{
    long long beyond = 0;
    for (int s = 0; s < call->sweep_count; s++) {
        const stencil_box *domain = &call->sweeps[s].domain;
        const long long gaps[2] = {domain->lo[0] - call->tiled.lo[0], call->tiled.hi[0] - domain->hi[0]};
        for (int end = 0; end < 2; end++)
            if (call->sweeps[s].rank == call->rank && gaps[end] > beyond && gaps[end] <= kernel->end_of_stream)
                beyond = gaps[end];
    }
    return kernel->end_of_stream + beyond;
}

/* Cells of the tiled box between the tiles at the ends of dimension 0. */
static long long stencil_inner_rows(const stencil_call *call, const stencil_kernel *kernel)
{
    return call->tiled.hi[0] - call->tiled.lo[0] + 1 - 2 * stencil_stream_end(call, kernel);
}

/* Tiles along dimension 0, between those at its ends, that have their whole extent; the halves follow them. */
static long long stencil_whole_parts(const stencil_call *call, const stencil_kernel *kernel)
{
    long long rows = stencil_inner_rows(call, kernel);
    long long parts = rows > 0 ? stencil_divide_up(rows, kernel->tile[0]) : 0;
    return parts > 1 && kernel->halves_last ? parts - 1 : parts;
}

/* Tiles along dimension 0. */
static long long stencil_parts(const stencil_work *work, const stencil_kernel *kernel)
{
    const stencil_call *call = work->call;
    long long rows = stencil_inner_rows(call, kernel), whole, halves;
    if (kernel->end_of_stream == 0)
        return stencil_tiles(call, kernel, 0, stencil_tile_extent(work, kernel));
    if (rows <= 0)
        return rows > -stencil_stream_end(call, kernel) ? 2 : 1;
    whole = stencil_whole_parts(call, kernel);
    halves = stencil_divide_up(rows - whole * kernel->tile[0], (kernel->tile[0] + 1) / 2);
    return 2 + whole + (halves > 0 ? halves : 0);
}

static int stencil_set_arg(stencil_work *work, const stencil_kernel *described, cl_kernel kernel, cl_uint index,
                           long long step)
{
    const stencil_call *call = work->call;
    const stencil_arg *arg = &described->args[index];
    switch (arg->kind) {
    case STENCIL_ARG_INPUT:
    case STENCIL_ARG_OUTPUT:
        return stencil_set_buffer(work, described, kernel, index, step);
    case STENCIL_ARG_ORIGIN:
        return stencil_set_position(work, kernel, index, work->placements[arg->a].origin);
    case STENCIL_ARG_STRIDE:
        return stencil_set_position(work, kernel, index, work->placements[arg->a].stride[arg->b]);
    case STENCIL_ARG_DOMAIN_LO:
        return stencil_set_int(work, kernel, index, call->sweeps[arg->a].domain.lo[arg->b]);
    case STENCIL_ARG_DOMAIN_HI:
        return stencil_set_int(work, kernel, index, call->sweeps[arg->a].domain.hi[arg->b]);
    case STENCIL_ARG_TILE_LO:
        return stencil_set_int(work, kernel, index, stencil_tile_lo(call, described, arg->b));
    case STENCIL_ARG_TILE_HI:
        return stencil_set_int(work, kernel, index, call->tiled.hi[arg->b]);
    case STENCIL_ARG_CHUNK:
        return stencil_set_int(work, kernel, index, stencil_tile_extent(work, described));
    case STENCIL_ARG_WHOLE_PARTS:
        return stencil_set_int(work, kernel, index, stencil_whole_parts(call, described));
    case STENCIL_ARG_STREAM_END:
        return stencil_set_int(work, kernel, index, stencil_stream_end(call, described));
    case STENCIL_ARG_SCALAR:
        return stencil_ok(&work->failure,
                          clSetKernelArg(kernel, index, call->scalars[arg->a].size, call->scalars[arg->a].value),
                          "clSetKernelArg");
    case STENCIL_ARG_STEP:
        return stencil_set_long(work, kernel, index, step);
    case STENCIL_ARG_SKIPPED:
        return stencil_set_int(work, kernel, index, arg->a - described->levels);
    case STENCIL_ARG_RESULTS:
        return stencil_set_int(work, kernel, index, described->leaves_results);
    }
    return 0;
}

/* Work-items in each dimension of the NDRange, whose dimension 0 is the last dimension of the cells. Cell dimensions
   beyond those of the NDRange are folded into its last, the outermost major. */
static int stencil_global_size(const stencil_work *work, const stencil_kernel *kernel, size_t *global)
{
    const stencil_call *call = work->call;
    const stencil_sweep *sweep = kernel->levels > 0 ? NULL : &call->sweeps[kernel->sweep];
    int rank = sweep ? sweep->rank : call->rank;
    long long size[3] = {1, 1, 1};
    for (int d = rank - 1; d >= 0; d--) {
        int k = rank - 1 - d < kernel->rank ? rank - 1 - d : kernel->rank - 1;
        long long count;
        if (!sweep)
            count = d == 0 ? stencil_parts(work, kernel) : stencil_tiles(call, kernel, d, kernel->tile[d]);
        else if (!stencil_extent(sweep->domain.lo[d], sweep->domain.hi[d], &count))
            return 0;
        if (!stencil_multiply(size[k], count, &size[k]))
            return 0;
    }
    for (int k = 0; k < kernel->rank && k < 3; k++) {
        long long group = (long long)kernel->work_group[k];
        if (sweep ? !stencil_round_up(size[k], group, &size[k]) : !stencil_multiply(size[k], group, &size[k]))
            return 0;
        if ((unsigned long long)size[k] > SIZE_MAX)
            return 0;
        global[k] = (size_t)size[k];
    }
    return 1;
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

/* Swaps the buffers of the slots that a launch has read and written. Two arguments may name the same slot. */
static void stencil_swap_buffers(stencil_work *work, const stencil_kernel *kernel, long long step)
{
    for (int i = 0; i < kernel->arg_count; i++) {
        const stencil_arg *output = &kernel->args[i];
        stencil_slot *slot;
        int is_input = 0;
        if (output->kind != STENCIL_ARG_OUTPUT)
            continue;
        slot = stencil_slot_at(work, output->a, step, output->b);
        for (int j = 0; j < kernel->arg_count; j++)
            is_input |= kernel->args[j].kind == STENCIL_ARG_INPUT && kernel->args[j].a == output->a &&
                        stencil_slot_at(work, output->a, step, kernel->args[j].b) == slot;
        if (is_input) {
            cl_mem written = slot->other;
            slot->other = slot->current;
            slot->current = written;
        }
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
    if (described->levels > 0)
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
