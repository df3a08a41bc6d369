/* What the host gives each step of a recording, in wheels: arrays of the driver's own, where kernels of several steps find what
   each of them needs; and what it computes once for all steps. */

/* Gives wheels their memory. 0 without memory: then no device takes the step. */
static STENCIL_UNUSED int stencil_make_wheels(stencil_recording *recording)
{
    for (int i = 0; i < recording->given_count; i++) {
        stencil_given *given = &recording->given[i];
        if (!given->values)
            given->values = calloc((size_t)recording->wheel, given->size);
        if (!given->values)
            return 0;
    }
    return 1;
}

static void stencil_drop_wheels(stencil_recording *recording)
{
    for (int i = 0; i < recording->given_count; i++) {
        free(recording->given[i].values);
        recording->given[i].values = NULL;
    }
    recording->given_until = 0;
}

/* What is the same in all steps has memory from the first tables of a call on that need it. */
static void stencil_drop_listed(stencil_recording *recording)
{
    for (int i = 0; i < recording->listed_count; i++) {
        free(recording->listed[i]);
        recording->listed[i] = NULL;
    }
}

static int stencil_is_wheel(const stencil_recording *recording, int array)
{
    for (int i = 0; i < recording->given_count; i++)
        if (recording->given[i].array == array)
            return 1;
    return 0;
}

/* Brings elements of all wheels to the device. */
static int stencil_bring_elements(const stencil_recording *recording, stencil_session *session, long long first, long long last)
{
    for (int i = 0; i < recording->given_count; i++) {
        stencil_result part;
        memset(&part, 0, sizeof part);
        part.array = recording->given[i].array;
        part.field = recording->given[i].field;
        part.box.lo[0] = first;
        part.box.hi[0] = last;
        if (part.array >= 0 && !stencil_write(session, &part, 1))
            return 0;
    }
    return 1;
}

/* Brings to the device what steps need that it has not been given yet, until so many are taken. */
static int stencil_bring_given(stencil_recording *recording, stencil_session *session, long long steps)
{
    while (recording->given_count > 0 && recording->given_until < steps) {
        long long first = recording->given_until % recording->wheel, count = steps - recording->given_until;
        if (count > recording->wheel - first)
            count = recording->wheel - first;
        if (!stencil_bring_elements(recording, session, first, first + count - 1))
            return 0;
        recording->given_until += count;
    }
    return 1;
}

/* Whether the next step would find the element of one in its place that the host may still have to take. */
static int stencil_has_full_wheels(const stencil_recording *recording)
{
    return recording->given_count > 0 && recording->taken + recording->pending - recording->delivered >= recording->wheel;
}
