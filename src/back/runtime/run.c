/* A call from beginning to end. */

/* Copies the written elements of one mapped result to an array at `base`: the user's, or a copy of it. */
static void stencil_commit_result(const stencil_work *work, int index, void *base)
{
    const stencil_result *result = &work->call->results[index];
    const stencil_array *array = &work->call->arrays[result->array];
    int inner = array->rank - 1;
    stencil_row row;
    for (int more = stencil_first_row(&row, array->rank, &result->box); more; more = stencil_next_row(&row)) {
        long long run = result->contains ? 1 : row.length;
        for (; row.cell[inner] <= result->box.hi[inner]; row.cell[inner] += run)
            if (!result->contains || result->contains(row.cell, work->call->context))
                stencil_copy_elements(stencil_element(array, base, row.cell), array->stride[inner],
                                      stencil_mapped_element(work, index, row.cell), 1, run, array->element_size);
    }
}

static void *stencil_result_base(const stencil_work *work, int index)
{
    return work->call->arrays[work->call->results[index].array].base;
}

/* Brings a direct result to the user's array. What has failed once may succeed another way. */
static int stencil_download(stencil_work *work, int index)
{
    if (stencil_download_directly(work, index))
        return 1;
    if (!stencil_map_result(work, index))
        return 0;
    stencil_commit_result(work, index, stencil_result_base(work, index));
    return 1;
}

/* Brings all results to the user's arrays. 0 if the device has failed meanwhile. */
static int stencil_commit(stencil_work *work)
{
    double start = stencil_now();
    int is_complete = 1;
    for (int i = 0; is_complete && i < work->call->result_count; i++)
        if (stencil_is_direct(work, i))
            is_complete = stencil_download(work, i);
        else
            stencil_commit_result(work, i, stencil_result_base(work, i));
    stencil_unpin(work);
    work->download_seconds += stencil_now() - start;
    return is_complete;
}

/* Ends a program whose arrays are neither what they were nor what they should be. */
static void stencil_end_halfway(const stencil_region *region, const stencil_failure *failure)
{
    fprintf(stderr, "%s: %s: the device failed while its results were copied to the arrays, which are lost: %s\n",
            region->where, region->name, failure->reason);
    stencil_end_program();
}

/* Cells of the largest sweep. */
static double stencil_count_cells(const stencil_call *call)
{
    double largest = 0;
    for (int i = 0; i < call->sweep_count; i++) {
        const stencil_box *domain = &call->sweeps[i].domain;
        double cells = 1;
        for (int d = 0; d < call->sweeps[i].rank; d++)
            cells *= domain->lo[d] <= domain->hi[d] ? (double)(domain->hi[d] - domain->lo[d] + 1) : 0;
        if (cells > largest)
            largest = cells;
    }
    return largest;
}

static void stencil_print_times(const stencil_work *work)
{
    double updates = stencil_count_cells(work->call) * (double)work->call->steps;
    fprintf(stderr,
            "%s: %s: plan %s%s%s, %lld steps in %lld launches, kernels %.3f ms, upload %.3f ms, download %.3f ms, "
            "start %.3f ms, %.3f GCells/s\n",
            work->region->where, work->region->name, work->plan->name, work->plan->device ? " for " : "",
            work->plan->device ? work->plan->device : "", work->call->steps, work->launches,
            1e3 * work->kernel_seconds, 1e3 * work->upload_seconds, 1e3 * work->download_seconds,
            1e3 * work->start_seconds, work->kernel_seconds > 0 ? 1e-9 * updates / work->kernel_seconds : 0.0);
}

/* Whether the nest does anything. Where all sweeps are empty a result may still be a copy of another array. */
static int stencil_has_work(const stencil_call *call)
{
    if (call->steps <= 0)
        return 0;
    for (int i = 0; i < call->result_count; i++)
        if (!stencil_is_empty(call->arrays[call->results[i].array].rank, &call->results[i].box))
            return 1;
    return stencil_has_cells(call);
}

static int stencil_allocate_work(stencil_work *work)
{
    const stencil_call *call = work->call;
    work->placements = calloc((size_t)call->layout_count, sizeof *work->placements);
    work->slots = calloc((size_t)call->field_count * STENCIL_MAX_SLOTS, sizeof *work->slots);
    work->is_pinned = calloc((size_t)call->array_count + 1, sizeof *work->is_pinned);
    work->mapped = calloc((size_t)call->result_count + 1, sizeof *work->mapped);
    work->mapped_buffers = calloc((size_t)call->result_count + 1, sizeof *work->mapped_buffers);
    return (work->placements && work->slots && work->is_pinned && work->mapped && work->mapped_buffers) ||
           stencil_no_memory(&work->failure);
}

/* All that may fail: the host's memory is as it was. */
static int stencil_compute(stencil_work *work)
{
    double start = stencil_now();
    if (work->options.odd_verify)
        return stencil_fail(&work->failure, "STENCIL_VERIFY=%s is neither 0, 1 nor a difference below 1 that may pass",
                            work->options.odd_verify);
    if (!stencil_check_integers(work->call, &work->failure) ||
        !stencil_open_device(work->shared, &work->failure) ||
        !stencil_check_floating_point(work->region, &work->shared->device, &work->failure) ||
        !stencil_check_arrays(work->call, &work->failure) || !stencil_check_results(work->call, &work->failure) ||
        !stencil_allocate_work(work))
        return 0;
    work->compute_units = stencil_compute_units(&work->shared->device);
    work->is_apart = stencil_has_own_memory(&work->shared->device);
    if (work->options.is_verbose)
        stencil_announce_device(work->shared);
    if (!stencil_choose_plan(work))
        return 0;
    work->start_seconds = stencil_now() - start;
    if (!stencil_create_fields(work) || !stencil_launch_all(work) ||
        !stencil_check_poison(work))
        return 0;
    start = stencil_now();
    if (!stencil_prepare_results(work))
        return 0;
    work->download_seconds = stencil_now() - start;
    return 1;
}

static void stencil_release_work(stencil_work *work)
{
    stencil_release_memory(work);
    free(work->placements);
    free(work->slots);
    free(work->is_pinned);
    free(work->phases);
    free(work->mapped);
    free(work->mapped_buffers);
}

static void stencil_leave_variables(const stencil_call *call)
{
    for (int i = 0; i < call->left_count; i++)
        memcpy(call->left[i].variable, call->left[i].value, call->left[i].size);
}

/* Puts what the nest should leave aside, so that the original loops may run. 0 if there is no memory for it, or no need. */
static int stencil_keep_results(stencil_work *work, stencil_turn *turn, int has_results)
{
    if (!work->options.verifies)
        return 0;
    turn->kept = stencil_keep_arrays(work->call, work->options.tolerance);
    if (!turn->kept)
        stencil_say_not_verified(work->region, "out of host memory");
    for (int i = 0; turn->kept && has_results && i < work->call->result_count; i++)
        stencil_commit_result(work, i, turn->kept->bases[work->call->results[i].array]);
    return turn->kept != NULL;
}

/* Runs the nest on the device. 1 if it did, and everything is as the nest leaves it. */
static int stencil_run_on_device(stencil_work *work, stencil_turn *turn)
{
    int is_done, is_complete = 1, is_kept = 0;
    stencil_lock();
    is_done = stencil_compute(work);
    if (is_done) {
        is_kept = stencil_keep_results(work, turn, 1);
        is_complete = is_kept || stencil_commit(work);
        if (work->options.is_verbose && is_complete)
            stencil_print_times(work);
    }
    stencil_release_work(work);
    if (!is_complete)
        stencil_end_halfway(work->region, &work->failure);
    if (!is_done)
        stencil_report_failure(work->region, &work->options, &work->failure);
    stencil_unlock();
    return is_done && !is_kept;
}

/* Runs a nest. 1 if that is done. 0 if its original loops must run, and nothing on the host has changed: the device could not
   be used, or what it did is to be compared. `turn` is null where there are no loops, or nobody calls again. */
static int stencil_run(const stencil_region *region, const stencil_call *call, stencil_turn *turn)
{
    stencil_work work;
    int is_done, has_work;
    memset(&work, 0, sizeof work);
    work.region = region;
    work.call = call;
    work.options = stencil_read_options();
    work.shared = &stencil_shared_v4;
    /* What bounds say is only known of integers that are those of the original. */
    has_work = !stencil_check_integers(call, &work.failure) || stencil_has_work(call);
    if (work.options.verifies && (!turn || region->no_fallback)) {
        work.options.verifies = 0;
        if (has_work)
            stencil_say_not_verified(region, "the program has no original loops");
    }
    is_done = has_work ? stencil_run_on_device(&work, turn) : !stencil_keep_results(&work, turn, 0);
    if (is_done)
        stencil_leave_variables(call);
    else if (turn)
        turn->waits = 1;
    return is_done;
}
