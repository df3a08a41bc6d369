/* Previews: what a part of the arrays will be a few steps after those that the device has taken. Single steps compute it, by
   sweep kernels whose domains are narrowed to the cells that it depends on. Then slots get back what they held, so that the
   device takes these steps later, in tiles, with those that follow. */

/* A slot that a preview writes, and where in the session's scratch buffer is what it held. */
typedef struct {
    const stencil_slot *slot;
    int field;
    stencil_placement kept;
} stencil_previewed;

typedef struct {
    stencil_session *session;
    long long steps;     /* behind those that the session has taken */
    long long sweeps;    /* in all of them */
    stencil_box wanted;  /* cells to be known, */
    stencil_box widest;  /* and all that are computed for them */
    int slot_count;
    stencil_previewed *slots;
} stencil_preview;

/* A box with all cells that so many sweeps read for it. */
static stencil_box stencil_widen(const stencil_session *session, stencil_box box, long long sweeps)
{
    for (int d = 0; d < session->call->rank; d++) {
        box.lo[d] -= sweeps * session->nest->reach[d];
        box.hi[d] += sweeps * session->nest->reach[d];
    }
    return box;
}

/* Whether a slot has what the next step reads, whether the last launch has left results or not. */
static int stencil_is_read_next(const stencil_session *session, const stencil_slot *slot)
{
    const stencil_nest *nest = session->nest;
    for (int i = 0; i < nest->kept_count; i++)
        if (stencil_slot_at(session, nest->kept[i].field, session->step, nest->kept[i].slot) == slot)
            return 1;
    return 0;
}

static int stencil_has_previewed(const stencil_preview *preview, const stencil_slot *slot)
{
    for (int i = 0; i < preview->slot_count; i++)
        if (preview->slots[i].slot == slot)
            return 1;
    return 0;
}

/* Lists the slots that a sweep kernel writes. */
static void stencil_list_previewed(stencil_preview *preview, const stencil_kernel *kernel, long long step)
{
    for (int i = 0; i < kernel->arg_count; i++) {
        const stencil_arg *arg = &kernel->args[i];
        const stencil_slot *slot;
        if (arg->kind != STENCIL_ARG_OUTPUT && arg->kind != STENCIL_ARG_IN_PLACE)
            continue;
        slot = stencil_slot_at(preview->session, arg->field, step, arg->slot);
        if (stencil_has_previewed(preview, slot))
            continue;
        preview->slots[preview->slot_count].slot = slot;
        preview->slots[preview->slot_count].field = arg->field;
        preview->slot_count++;
    }
}

/* Gives each slot its place in the scratch buffer, where the cells of the widest box follow each other; each begins with a row of its
   own, since OpenCL wants planes to be whole rows. Bytes of all. */
static size_t stencil_place_previewed(stencil_preview *preview)
{
    const stencil_session *session = preview->session;
    size_t bytes = 0;
    for (int i = 0; i < preview->slot_count; i++) {
        stencil_placement *kept = &preview->slots[i].kept;
        size_t size = session->call->fields[preview->slots[i].field].element_size;
        int rank = session->call->rank;
        long long cells = 1;
        size_t row;
        for (int d = rank - 1; d >= 0; d--) {
            kept->stride[d] = cells;
            cells *= preview->widest.hi[d] - preview->widest.lo[d] + 1;
        }
        row = (size_t)(rank > 1 ? kept->stride[rank - 2] : 1) * size;
        bytes = (bytes + row - 1) / row * row;
        kept->origin = (long long)(bytes / size) - stencil_offset(session->call->rank, kept->stride, preview->widest.lo);
        kept->cells = (long long)(bytes / size) + cells;
        bytes = (size_t)kept->cells * size;
    }
    return bytes;
}

/* Describes the preview of a hull of parts. 0 without memory. */
static int stencil_describe_preview(stencil_preview *preview, stencil_session *session, const stencil_result *parts, int count,
                                    long long steps)
{
    const stencil_call *call = session->call;
    stencil_box all;
    preview->session = session;
    preview->steps = steps;
    preview->sweeps = 0;
    preview->wanted = parts[0].box;
    preview->slot_count = 0;
    preview->slots = calloc((size_t)stencil_count_slots(call, call->field_count) + 1, sizeof *preview->slots);
    for (int i = 1; i < count; i++)
        preview->wanted = stencil_hull(preview->wanted, parts[i].box, call->rank);
    for (long long i = 0; preview->slots && i < steps; i++)
        for (int k = 0; k < session->plan->kernel_count; k++) {
            if (session->plan->kernels[k].levels > 0)
                continue;
            stencil_list_previewed(preview, &session->plan->kernels[k], session->step + i);
            preview->sweeps++;
        }
    all = stencil_widen(session, preview->wanted, preview->sweeps - (steps > 0));
    preview->widest = stencil_intersect(call->rank, &call->tiled, &all);
    return preview->slots != NULL;
}

/* Whether a part's slot has the part as it should be after the steps, although launches have left no results. */
static int stencil_is_left(const stencil_preview *preview, const stencil_result *part)
{
    const stencil_session *session = preview->session;
    const stencil_slot *slot = stencil_slot_at(session, part->field, 0, part->slot);
    return session->lacking <= preview->steps || stencil_has_previewed(preview, slot) || stencil_is_read_next(session, slot);
}

/* Whether a preview costs less than the launch that the device would need otherwise, to be where the host is. Whoever
   wants all kernels compiled wants to see all that they do. */
static int stencil_is_worth_previewing(const stencil_preview *preview)
{
    const stencil_session *session = preview->session;
    const stencil_call *call = session->call;
    double launch = stencil_launch_seconds(session), all = stencil_volume(call->rank, &call->tiled);
    double share = all > 0 ? stencil_volume(call->rank, &preview->widest) / all : 0;
    double commands = (double)(preview->sweeps + 2 * preview->slot_count);
    return stencil_is_set("STENCIL_COMPILE_ALL") || preview->steps == 0 ||
           commands * stencil_command_seconds(session->device) + 2 * (double)preview->steps * share * launch < launch;
}

/* Compiles the sweep kernels that are not ready yet. */
static int stencil_build_sweeps(stencil_session *session)
{
    stencil_built *built = session->built;
    stencil_settle_beside(session->shared);
    if (stencil_mark(built, 1, STENCIL_UNKNOWN, STENCIL_WANTED) > 0)
        stencil_build_wanted(built, session->device, &session->options);
    return stencil_is_built(session);
}

/* Makes the scratch buffer large enough. */
static int stencil_give_scratch(stencil_session *session, size_t bytes)
{
    cl_int status = CL_SUCCESS;
    if (bytes <= session->scratch_bytes)
        return 1;
    if (session->scratch)
        clReleaseMemObject(session->scratch);
    session->scratch_bytes = 0;
    session->scratch = clCreateBuffer(session->device->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    session->scratch_bytes = session->scratch ? bytes : 0;
    return stencil_ok(&session->failure, status, "clCreateBuffer");
}

/* Copies what the slots hold to the scratch buffer, or back. */
static int stencil_keep_previewed(const stencil_preview *preview, int is_back)
{
    stencil_session *session = preview->session;
    int rank = session->call->rank, is_good = 1;
    for (int i = 0; is_good && i < preview->slot_count; i++) {
        const stencil_previewed *previewed = &preview->slots[i];
        const stencil_field *field = &session->call->fields[previewed->field];
        stencil_copied slot = {previewed->slot->current, &session->placements[field->layout]};
        stencil_copied scratch = {session->scratch, &previewed->kept};
        is_good = stencil_copy_cells(session, is_back ? scratch : slot, is_back ? slot : scratch, rank, field->element_size,
                                     &preview->widest);
    }
    return is_good;
}

/* Launches a sweep, `behind` which others follow, for the cells that are wanted of it alone. `narrowed` are the sweeps of the
   session's call. */
static int stencil_launch_narrowed(stencil_launcher *launcher, const stencil_preview *preview, stencil_sweep *narrowed, int kernel,
                                   long long step, long long behind)
{
    stencil_session *session = preview->session;
    stencil_sweep *sweep = &narrowed[session->plan->kernels[kernel].sweep];
    stencil_box domain = sweep->domain, cells = stencil_widen(session, preview->wanted, behind);
    int is_good;
    sweep->domain = stencil_intersect(sweep->rank, &domain, &cells);
    is_good = stencil_is_empty(sweep->rank, &sweep->domain) || stencil_launch(launcher, kernel, step);
    sweep->domain = domain;
    return is_good;
}

static int stencil_launch_preview(const stencil_preview *preview, stencil_sweep *narrowed)
{
    stencil_session *session = preview->session;
    long long behind = preview->sweeps;
    stencil_launcher launcher;
    int is_good = 1;
    launcher.session = session;
    launcher.event_count = 0;
    for (long long i = 0; i < preview->steps; i++)
        for (int k = 0; is_good && k < session->plan->kernel_count; k++)
            if (session->plan->kernels[k].levels == 0)
                is_good = stencil_launch_narrowed(&launcher, preview, narrowed, k, session->step + i, --behind);
    return stencil_harvest(&launcher) && is_good;
}

/* Takes the steps for what is wanted alone. */
static int stencil_compute_preview(const stencil_preview *preview)
{
    stencil_session *session = preview->session;
    const stencil_call *call = session->call;
    stencil_call narrowed = *call;
    stencil_sweep *sweeps = malloc((size_t)(call->sweep_count + 1) * sizeof *sweeps);
    int is_good = sweeps || stencil_no_memory(&session->failure);
    if (!is_good)
        return 0;
    memcpy(sweeps, call->sweeps, (size_t)call->sweep_count * sizeof *sweeps);
    narrowed.sweeps = sweeps;
    session->call = &narrowed;
    is_good = stencil_launch_preview(preview, sweeps);
    session->call = call;
    free(sweeps);
    return is_good;
}

/* Whether such a preview can be had and is worth it. 0 also if the device has failed. */
static int stencil_may_preview(const stencil_preview *preview, const stencil_result *parts, int count)
{
    stencil_session *session = preview->session;
    for (int i = 0; i < count; i++)
        if (!stencil_is_left(preview, &parts[i]))
            return 0;
    if (!stencil_is_worth_previewing(preview) || preview->steps == 0)
        return preview->steps == 0;
    return stencil_settle(session, stencil_compile(session, stencil_build_sweeps)) &&
           stencil_has_sweep_kernels(session->built, 1);
}

/* Gives slots what parts will be after so many more steps. 0 if the session is what it was, or has failed. */
static int stencil_begin_preview(stencil_preview *preview, stencil_session *session, const stencil_result *parts, int count,
                                 long long steps)
{
    int is_good, is_empty;
    preview->slots = NULL;
    if (session->state != STENCIL_OPEN || !session->nest->has_reach ||
        !stencil_describe_preview(preview, session, parts, count, steps) || !stencil_may_preview(preview, parts, count))
        return 0;
    is_empty = steps == 0 || stencil_is_empty(session->call->rank, &preview->widest);
    if (is_empty)
        preview->slot_count = 0;
    stencil_unmap_results(session);
    is_good = is_empty ||
              (stencil_give_scratch(session, stencil_place_previewed(preview)) && stencil_keep_previewed(preview, 0) &&
               stencil_compute_preview(preview));
    stencil_spend(session, STENCIL_LAUNCHING);
    return stencil_settle(session, is_good);
}

/* Gives slots back what they held. */
static int stencil_end_preview(const stencil_preview *preview)
{
    stencil_session *session = preview->session;
    return session->state == STENCIL_OPEN && stencil_settle(session, stencil_keep_previewed(preview, 1));
}
