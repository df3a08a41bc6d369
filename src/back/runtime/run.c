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
    int is_complete = 1;
    for (int i = 0; is_complete && i < work->call->result_count; i++)
        if (stencil_is_direct(work, i))
            is_complete = stencil_download(work, i);
        else
            stencil_commit_result(work, i, stencil_result_base(work, i));
    stencil_unpin(work);
    return is_complete;
}

/* Ends a program whose arrays are neither what they were nor what they should be. */
static void stencil_end_halfway(const stencil_region *region, const stencil_failure *failure)
{
    fprintf(stderr, "%s: %s: the device failed while its results were copied to the arrays, which are lost: %s\n",
            region->where, region->name, failure->reason);
    stencil_end_program();
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

/* Lets no time that has passed since `since` go without a name. */
static void stencil_spend(stencil_work *work, stencil_part part, double *since)
{
    double now = stencil_now();
    work->seconds[part] += now - *since;
    *since = now;
}

/* Seconds that compiling has taken so far. */
static double stencil_compiled_seconds(const stencil_device *device)
{
    double sum = 0;
    for (const stencil_built *built = device->built; built; built = built->next)
        sum += built->seconds;
    return sum;
}

/* Chooses a plan whose kernels are ready. */
static int stencil_find_plan(stencil_work *work)
{
    double before = stencil_compiled_seconds(work->device);
    int is_found = stencil_choose_plan(work);
    work->seconds[STENCIL_COMPILING] = stencil_compiled_seconds(work->device) - before;
    work->seconds[STENCIL_CHECKING] -= work->seconds[STENCIL_COMPILING];
    return is_found;
}

/* Opens the device, unless it is. */
static int stencil_find_device(stencil_work *work, double *since)
{
    int was_open = stencil_current_device(work->shared) != NULL;
    stencil_spend(work, STENCIL_CHECKING, since);
    work->device = stencil_take_device(work->shared, &work->failure);
    if (work->device && work->options.is_verbose)
        stencil_announce_device(work->device);
    stencil_spend(work, was_open ? STENCIL_CHECKING : STENCIL_OPENING, since);
    return work->device != NULL;
}

/* Whether device and kernels may run the call; nothing has been done yet. */
static int stencil_prepare(stencil_work *work, double *since)
{
    if (work->options.odd_verify)
        return stencil_fail(&work->failure, "STENCIL_VERIFY=%s is neither 0, 1 nor a difference below 1 that may pass",
                            work->options.odd_verify);
    if (!stencil_check_integers(work->call, &work->failure) || !stencil_find_device(work, since) ||
        !stencil_check_floating_point(work->region, work->device, &work->failure) ||
        !stencil_check_arrays(work->call, &work->failure) || !stencil_check_results(work->call, &work->failure) ||
        !stencil_allocate_work(work))
        return 0;
    work->compute_units = stencil_compute_units(work->device);
    work->is_apart = stencil_has_own_memory(work->device);
    return stencil_find_plan(work);
}

/* All that may fail: the host's memory is as it was. */
static int stencil_compute(stencil_work *work, double *since)
{
    int is_good = stencil_prepare(work, since);
    stencil_spend(work, STENCIL_CHECKING, since);
    if (!is_good || !stencil_create_fields(work))
        return 0;
    stencil_spend(work, STENCIL_UPLOADING, since);
    is_good = stencil_launch_all(work);
    stencil_spend(work, STENCIL_LAUNCHING, since);
    work->seconds[STENCIL_KERNELS] = work->kernel_seconds;
    work->seconds[STENCIL_LAUNCHING] -= work->kernel_seconds;
    if (!is_good || !stencil_check_poison(work))
        return 0;
    stencil_spend(work, STENCIL_OTHER, since);
    is_good = stencil_prepare_results(work);
    stencil_spend(work, STENCIL_DOWNLOADING, since);
    return is_good;
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
    turn->is_told = work->options.is_verbose;
    turn->kept = stencil_keep_arrays(work->call, work->options.tolerance);
    if (!turn->kept)
        stencil_say_not_verified(work->region, "out of host memory");
    for (int i = 0; turn->kept && has_results && i < work->call->result_count; i++)
        stencil_commit_result(work, i, turn->kept->bases[work->call->results[i].array]);
    return turn->kept != NULL;
}

/* Brings the results to the user's arrays, or keeps them aside to be compared. 0 if the device has failed meanwhile. */
static int stencil_hand_over(stencil_work *work, stencil_turn *turn, int *is_kept, double *since)
{
    int is_complete;
    *is_kept = stencil_keep_results(work, turn, 1);
    stencil_spend(work, work->options.verifies ? STENCIL_VERIFYING : STENCIL_DOWNLOADING, since);
    is_complete = *is_kept || stencil_commit(work);
    stencil_spend(work, STENCIL_DOWNLOADING, since);
    return is_complete;
}

/* Keeps account of a call that is done, and learns from it. */
static void stencil_note_call(stencil_work *work, stencil_turn *turn, double seconds)
{
    int was_ready = work->seconds[STENCIL_OPENING] <= 0 && work->seconds[STENCIL_COMPILING] <= 0 && !work->climb.began_low;
    stencil_note_device(work, turn, seconds, was_ready);
    if (work->options.is_verbose)
        stencil_account_device(work);
}

/* Says why the device cannot be used; does not return if the original loops may not run instead. */
static void stencil_note_failure(stencil_work *work, stencil_turn *turn)
{
    stencil_report_failure(work->region, &work->options, &work->failure);
    if (work->options.is_verbose)
        stencil_account_failure(work, turn);
}

/* Runs the nest on the device. 1 if it did, and everything is as the nest leaves it. */
static int stencil_run_on_device(stencil_work *work, stencil_turn *turn)
{
    double start = stencil_now(), since = start;
    int is_done, is_complete = 1, is_kept = 0;
    work->started = start;
    stencil_lock();
    stencil_spend(work, STENCIL_WAITING, &since);
    is_done = stencil_compute(work, &since);
    if (is_done)
        is_complete = stencil_hand_over(work, turn, &is_kept, &since);
    stencil_release_work(work);
    stencil_spend(work, STENCIL_RELEASING, &since);
    if (!is_complete)
        stencil_end_halfway(work->region, &work->failure);
    if (is_done)
        stencil_note_call(work, turn, since - start);
    else
        stencil_note_failure(work, turn);
    stencil_unlock();
    return is_done && !is_kept;
}

/* Whether the user wants to see the loops compared and there are any. */
static void stencil_settle_verification(stencil_work *work, const stencil_turn *turn, int has_work)
{
    if (!work->options.verifies || (turn && !work->region->no_fallback))
        return;
    work->options.verifies = 0;
    if (has_work)
        stencil_say_not_verified(work->region, "the program has no original loops");
}

/* Runs a nest. 1 if that is done. 0 if its original loops must run, and nothing on the host has changed: the device could not
   be used or would take longer, or what it did is to be compared. `turn` is null where there are no loops, or nobody calls
   again. */
static int stencil_run(const stencil_region *region, const stencil_call *call, stencil_turn *turn)
{
    stencil_work work;
    int is_done, has_work;
    memset(&work, 0, sizeof work);
    work.region = region;
    work.call = call;
    work.options = stencil_read_options();
    work.shared = &stencil_shared_v7;
    /* What bounds say is only known of integers that are those of the original. */
    has_work = !stencil_check_integers(call, &work.failure) || stencil_has_work(call);
    stencil_settle_verification(&work, turn, has_work);
    if (!has_work)
        is_done = !stencil_keep_results(&work, turn, 0);
    else
        is_done = !work.failure.reason[0] && stencil_stays_on_host(&work, turn) ? 0 : stencil_run_on_device(&work, turn);
    if (is_done)
        stencil_leave_variables(call);
    else if (turn)
        turn->quick->stencil_waits = STENCIL_WATCHED;
    return is_done;
}
