/* Nests that follow each other with nothing between them that needs their arrays. What one has computed stays on the device, and the
   next takes it over from there; the host's arrays get it when the last of them is over, or the device fails. README.md has
   the states. */

/* Recordings that a chain has at most: all of them run again if the device fails. */
static const int stencil_most_past = 1024;

static void stencil_free_past(stencil_recording *past)
{
    stencil_forget_recording(past);
    free(past->given);
    free(past->arguments);
}

/* Nobody must bring what has been computed: it is there. */
static void stencil_forget_past(stencil_chain *chain)
{
    for (int i = 0; i < chain->past_count; i++) {
        stencil_close_past(&chain->past[i]);
        stencil_free_past(&chain->past[i]);
    }
    free(chain->past);
    chain->past = NULL;
    chain->past_count = 0;
}

/* The device has failed: what it should have brought is computed on the host. */
static void stencil_replay_past(stencil_chain *chain)
{
    for (int i = chain->past_count - 1; i >= 0; i--)
        stencil_put_back(&chain->past[i]);
    for (int i = 0; i < chain->past_count; i++) {
        stencil_recording *past = &chain->past[i];
        stencil_close_past(past);
        for (int b = 0; b < past->batch_count; b++)
            stencil_replay_batch(past, &past->batches[b]);
    }
    stencil_forget_past(chain);
}

/* Whether a session of the same nest follows one of those before. */
static int stencil_has_newer(const stencil_chain *chain, const stencil_recording *last, int index)
{
    int found = last && last->act == chain->past[index].act;
    for (int i = index + 1; !found && i < chain->past_count; i++)
        found = chain->past[i].act == chain->past[index].act && chain->past[i].work;
    return found;
}

/* Adds what a recording, if any, and those before it bring to what is covered for those before; `fetches` if that is to be fetched,
   else sessions are closed whose arrays nobody takes over any more. */
static int stencil_go_back(stencil_chain *chain, stencil_recording *last, int fetches)
{
    stencil_wanted wanted;
    int is_good = 1;
    memset(&wanted, 0, sizeof wanted);
    chain->wanted = &wanted;
    if (last && fetches)
        is_good = stencil_ask(last, STENCIL_FETCH, last->arguments, last->taken) != 0;
    for (int i = chain->past_count - 1; is_good && i >= 0; i--) {
        stencil_recording *past = &chain->past[i];
        if (!past->work)
            continue;
        if (fetches)
            is_good = stencil_ask(past, STENCIL_FETCH, past->arguments, past->taken) != 0;
        else if (stencil_ask_past(chain, i, &wanted, STENCIL_COVER) == 2 && stencil_has_newer(chain, last, i))
            stencil_close_past(past);
    }
    free(wanted.covered);
    free(wanted.changed);
    chain->wanted = NULL;
    return is_good;
}

/* Brings to the host's arrays what a recording, if any, and those before it have computed. 0 if the device has failed, and the
   arrays are what they were. */
static int stencil_deliver_chain(stencil_chain *chain, stencil_recording *last)
{
    if (!stencil_go_back(chain, last, 1))
        return 0;
    for (int i = 0; i < chain->past_count; i++)
        if (chain->past[i].work)
            stencil_ask(&chain->past[i], STENCIL_PUT, chain->past[i].arguments, chain->past[i].taken);
    if (last)
        stencil_ask(last, STENCIL_PUT, last->arguments, last->taken);
    return 1;
}

/* Ends a chain whose last recording is not open. */
static void stencil_end_chain(stencil_chain *chain)
{
    chain->last = NULL;
    if (stencil_deliver_chain(chain, NULL))
        stencil_forget_past(chain);
    else
        stencil_replay_past(chain);
}

/* What a recording had is no longer its own. */
static void stencil_give_up(stencil_recording *last)
{
    for (int i = 0; i < last->given_count; i++)
        last->given[i].values = NULL;
    last->batches = NULL;
    last->batch_count = 0;
    last->asides = NULL;
    last->layouts = NULL;
    last->arrays = NULL;
    last->context = NULL;
    last->work = NULL;
    last->expected = last->taken;
    stencil_forget_recording(last);
}

/* Moves a recording that is open, all of whose results are there, among those before the next one. 0 without memory. */
static int stencil_keep_past(stencil_chain *chain, stencil_recording *last)
{
    stencil_recording *past = realloc(chain->past, ((size_t)chain->past_count + 1) * sizeof *past);
    if (!past)
        return 0;
    chain->past = past;
    past += chain->past_count;
    *past = *last;
    past->room_count = 0; /* what points give when steps are replayed goes to the rooms of the nest, where nobody looks at it */
    past->arguments = stencil_duplicate(last->arguments, last->size);
    past->given = last->given_count ? stencil_duplicate(last->given, (size_t)last->given_count * sizeof *last->given) : NULL;
    if (!past->arguments || (last->given_count && !past->given)) {
        free(past->arguments);
        free(past->given);
        return 0;
    }
    chain->past_count++;
    stencil_give_up(last);
    return 1;
}
