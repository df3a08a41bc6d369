/* Which plan, and which kernel for which steps. */

static int stencil_has_sweep_kernels(const stencil_built *built)
{
    int sweeps = 0;
    for (int k = 0; k < built->plan->kernel_count; k++) {
        if (built->plan->kernels[k].levels > 0)
            continue;
        if (!built->is_usable[k])
            return 0;
        sweeps++;
    }
    return sweeps > 0;
}

/* The usable kernel of one level; -1: single steps are taken sweep by sweep. */
static int stencil_single_step_kernel(const stencil_built *built)
{
    for (int k = 0; k < built->plan->kernel_count; k++)
        if (built->plan->kernels[k].levels == 1 && built->is_usable[k])
            return k;
    return -1;
}

static void stencil_add_phase(stencil_work *work, int kernel, int levels, long long count, long long *step)
{
    stencil_phase *phase = &work->phases[work->phase_count];
    if (count <= 0)
        return;
    phase->kernel = kernel;
    phase->first_step = *step;
    phase->count = count;
    *step += count * levels;
    work->phase_count++;
}

/* Divides the steps among the kernels, most levels first; what remains is taken one step at a time.

   Example: kernels of 4 and 1 levels, 11 steps, the last 2 one at a time: two launches of 4 levels, 3 of one. */
static int stencil_schedule(stencil_work *work)
{
    const stencil_plan *plan = work->plan;
    long long step = 0, last = work->call->steps - work->region->last_single_steps;
    int single = stencil_single_step_kernel(work->built);
    if (single < 0 && !stencil_has_sweep_kernels(work->built))
        return stencil_fail(&work->failure, "the work-groups are too large for device %s", work->shared->device.name);
    free(work->phases);
    work->phase_count = 0;
    work->phases = calloc((size_t)plan->kernel_count + 1, sizeof *work->phases);
    if (!work->phases)
        return stencil_no_memory(&work->failure);
    for (int k = 0; k < plan->kernel_count; k++) {
        int levels = plan->kernels[k].levels;
        if (levels > 1 && work->built->is_usable[k])
            stencil_add_phase(work, k, levels, (last - step) / levels, &step);
    }
    stencil_add_phase(work, single, 1, work->call->steps - step, &step);
    return 1;
}

/* Marks the slots that the kernel both reads and writes when it starts after `step` steps. */
static void stencil_mark_others(stencil_work *work, const stencil_kernel *kernel, long long step)
{
    for (int i = 0; i < kernel->arg_count; i++) {
        const stencil_arg *input = &kernel->args[i];
        for (int j = 0; j < kernel->arg_count; j++) {
            const stencil_arg *output = &kernel->args[j];
            if (input->kind == STENCIL_ARG_INPUT && output->kind == STENCIL_ARG_OUTPUT && input->a == output->a &&
                stencil_slot_at(work, input->a, step, input->b) == stencil_slot_at(work, output->a, step, output->b))
                stencil_slot_at(work, input->a, step, input->b)->needs_other = 1;
        }
    }
}

/* Slots come round after at most STENCIL_MAX_SLOTS launches of the same kernel; sweep kernels work in place. */
static void stencil_find_others(stencil_work *work)
{
    memset(work->slots, 0, (size_t)work->call->field_count * STENCIL_MAX_SLOTS * sizeof *work->slots);
    for (int p = 0; p < work->phase_count; p++) {
        const stencil_phase *phase = &work->phases[p];
        if (phase->kernel < 0)
            continue;
        for (long long i = 0; i < phase->count && i < STENCIL_MAX_SLOTS; i++) {
            const stencil_kernel *kernel = &work->plan->kernels[phase->kernel];
            stencil_mark_others(work, kernel, phase->first_step + i * kernel->levels);
        }
    }
}

/* Prepares everything for a plan, short of touching device memory. */
static int stencil_try_plan(stencil_work *work, const stencil_plan *plan)
{
    if (!stencil_check_boxes(work->call, plan, &work->failure))
        return 0;
    work->plan = plan;
    work->built = stencil_build(work->shared, work->region, plan, &work->options);
    if (!work->built)
        return stencil_no_memory(&work->failure);
    if (!work->built->is_good) {
        work->failure = work->built->failure;
        return 0;
    }
    if (!stencil_schedule(work) || !stencil_place_layouts(work))
        return 0;
    stencil_find_others(work);
    return stencil_check_memory(work);
}

/* The plan that STENCIL_PLAN names, or the first for the device's kind, or the first; null: none has that name. */
static const stencil_plan *stencil_preferred_plan(const stencil_work *work)
{
    const stencil_region *region = work->region;
    int is_gpu = !stencil_is_cpu(&work->shared->device);
    for (int i = 0; i < region->plan_count; i++)
        if (work->options.plan ? strcmp(region->plans[i].name, work->options.plan) == 0
                               : !region->plans[i].is_gpu == !is_gpu)
            return &region->plans[i];
    return work->options.plan || region->plan_count == 0 ? NULL : &region->plans[0];
}

/* Whether another plan may do better where this one failed. Kernels that do not compile are an error to be told, unless
   they ask for more local memory than there is. */
static int stencil_may_try_another(const stencil_work *work, const stencil_plan *failed)
{
    int is_built = work->built && work->built->is_good;
    return !work->options.plan && (is_built || failed->local_bytes > work->shared->device.local_bytes);
}

/* Chooses a plan. One that does not fit the device makes way for another, unless the user has named it. */
static int stencil_choose_plan(stencil_work *work)
{
    const stencil_plan *preferred = stencil_preferred_plan(work);
    stencil_failure first;
    if (!preferred)
        return stencil_fail(&work->failure, "no plan has the name STENCIL_PLAN=%.100s",
                            work->options.plan ? work->options.plan : "");
    if (stencil_try_plan(work, preferred))
        return 1;
    if (!stencil_may_try_another(work, preferred))
        return 0;
    first = work->failure;
    for (int i = 0; i < work->region->plan_count; i++)
        if (&work->region->plans[i] != preferred && stencil_try_plan(work, &work->region->plans[i]))
            return 1;
    work->failure = first;
    return 0;
}
