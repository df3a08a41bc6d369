/* What it costs to compile one more kernel, in launches that would make up for it.

   A kernel for the last steps saves a few launches a call and may take a second to compile. It is compiled at once if a
   thousand such calls would gain that, otherwise when calls have lost as much without it: no program waits for more than
   twice what the best choice would have cost it. The numbers are rough on purpose: they depend on the call and on what the
   program did before, not on clocks and caches, so that every run makes the same choice. */

enum { STENCIL_EXPECTED_CALLS = 1000 };

/* Whether the device can run the kernel, as far as is known, and a schedule may have it. */
static int stencil_may_use(const stencil_built *built, int kernel)
{
    return built->usability[kernel] != STENCIL_UNUSABLE && !built->plan->kernels[kernel].folds;
}

/* Seconds of compiling a kernel: fitted to kernels for NVIDIA's compiler and for PoCL, within a factor of three. */
static double stencil_compile_seconds(const stencil_session *session, int kernel)
{
    int levels = session->plan->kernels[kernel].levels;
    return levels == 0 ? 0.1 : 0.3 + 0.05 * levels * session->call->sweep_count;
}

/* The same behind a kernel of the list that is gone through, `last`; -1: there is none. Kernels of one text follow each other. */
static double stencil_text_seconds(const stencil_session *session, int kernel, int last)
{
    return last >= 0 && stencil_is_same_text(session->plan, kernel, last) ? 0 : stencil_compile_seconds(session, kernel);
}

/* Seconds of a command that has next to nothing to do. */
static double stencil_command_seconds(const stencil_device *device)
{
    return stencil_is_cpu(device) ? 20e-6 : 5e-6;
}

/* Seconds of a launch, which reads and writes each cell of the written fields once. */
static double stencil_launch_seconds(const stencil_session *session)
{
    double bytes = 0, rate = stencil_is_cpu(session->device) ? 20e9 : 3e12;
    for (int f = 0; f < session->call->field_count; f++)
        if (session->call->fields[f].is_written)
            bytes += 2 * (double)session->call->fields[f].element_size;
    for (int d = 0; d < session->call->rank; d++)
        bytes *= (double)(session->call->tiled.hi[d] - session->call->tiled.lo[d] + 1);
    return stencil_command_seconds(session->device) + (bytes > 0 ? bytes / rate : 0);
}

/* The usable kernel of most levels that the call has steps for; -1: none has several. */
static int stencil_deepest_kernel(const stencil_session *session)
{
    for (int k = 0; k < session->plan->kernel_count; k++)
        if (session->plan->kernels[k].levels > 1 && session->plan->kernels[k].levels <= session->asked &&
            stencil_may_use(session->built, k))
            return k;
    return -1;
}

/* Launches of kernels of so many levels as the steps are divided now. */
static long long stencil_count_launches(const stencil_session *session, int levels)
{
    long long count = 0;
    for (int p = 0; p < session->phase_count; p++)
        if (session->phases[p].kernel >= 0 && session->plan->kernels[session->phases[p].kernel].levels == levels)
            count += session->phases[p].count;
    return count;
}

/* Whether the kernel is compiled anyway: it has the text of the deepest, or it and others of its levels take
   most of the steps, in several launches. One that leaves results may be all that the deepest needs. */
static int stencil_is_main(const stencil_session *session, int kernel)
{
    int deepest = stencil_deepest_kernel(session), levels = session->plan->kernels[kernel].levels;
    if (deepest >= 0 && stencil_is_same_text(session->plan, kernel, deepest))
        return 1;
    return levels > 1 && session->main_levels == levels;
}

/* The levels that take most of the steps as they are divided now, in several launches; 0: none do. */
static int stencil_find_main_levels(const stencil_session *session)
{
    long long most = 0;
    int found = 0;
    for (int p = 0; p < session->phase_count; p++) {
        int levels = session->phases[p].kernel < 0 ? 1 : session->plan->kernels[session->phases[p].kernel].levels;
        long long count = stencil_count_launches(session, levels);
        if (levels > 1 && count > 1 && count * levels > most) {
            most = count * levels;
            found = levels;
        }
    }
    return found;
}

/* Launches that are to make up for compiling a kernel; 0 for those that are, or will be anyway. Where kernels may round
   differently the choice depends on the call alone. */
static double stencil_launches_worth(const stencil_session *session, int kernel)
{
    stencil_usability known = session->built->usability[kernel];
    double seconds;
    if (!session->saves_compiling || session->nest->roundings > 0 || known == STENCIL_USABLE || known == STENCIL_BESIDE)
        return 0;
    if (stencil_is_main(session, kernel))
        return 0;
    seconds = stencil_compile_seconds(session, kernel) - session->built->lost_seconds;
    return seconds > 0 ? seconds / (STENCIL_EXPECTED_CALLS * stencil_launch_seconds(session)) : 0;
}

/* The price of single steps. */
static double stencil_single_price(const stencil_session *session)
{
    int kernel = session->plan->kernel_count - 1;
    for (int k = 0; k < session->plan->kernel_count; k++)
        if (session->plan->kernels[k].levels == 1 && stencil_may_use(session->built, k))
            kernel = k;
    return stencil_launches_worth(session, kernel);
}
