/* Parts of arrays that are brought to the host alone, while all else on the host stays as it was some steps before. What a part
   held until then is kept aside, so that the steps since can be taken on the host if the device fails; and so is what the host
   stores itself between steps, see store.c. */

/* Elements in a row that a part had on the host. */
struct stencil_run {
    char *place;
    long long count, stride; /* of elements */
};

/* What a part of an array held, or holds from some step on. */
struct stencil_aside {
    stencil_aside *before;
    int array;               /* of the call */
    stencil_box box;
    size_t bytes, element_size;
    int run_count;
    struct stencil_run *runs;
    char *elements;          /* of all runs */
};

static void stencil_free_asides(stencil_aside *last)
{
    while (last) {
        stencil_aside *before = last->before;
        free(last->runs);
        free(last->elements);
        free(last);
        last = before;
    }
}

/* Forgets what has been kept aside: the arrays hold what they should. */
static void stencil_drop_asides(stencil_recording *recording)
{
    stencil_free_asides(recording->asides);
    recording->asides = NULL;
    recording->aside_bytes = 0;
}

/* Forgets what the host has stored. */
static void stencil_drop_stored(stencil_recording *recording)
{
    stencil_free_asides(recording->stored);
    recording->stored = NULL;
}

/* Copies what an aside holds from the array, or back. */
static void stencil_copy_aside(const stencil_aside *aside, int is_back)
{
    char *kept = aside->elements;
    for (int i = 0; i < aside->run_count; i++) {
        const struct stencil_run *run = &aside->runs[i];
        if (is_back)
            stencil_copy_elements(run->place, run->stride, kept, 1, run->count, aside->element_size);
        else
            stencil_copy_elements(kept, 1, run->place, run->stride, run->count, aside->element_size);
        kept += (size_t)run->count * aside->element_size;
    }
}

/* Lets the arrays hold again what they did after `delivered` steps: the oldest copy of an element comes last. */
static void stencil_put_back(stencil_recording *recording)
{
    for (const stencil_aside *aside = recording->asides; aside; aside = aside->before)
        stencil_copy_aside(aside, 1);
    stencil_drop_asides(recording);
}

/* Lists the runs of a part; counts them if there is no list yet. */
static void stencil_list_runs(stencil_aside *aside, const stencil_array *array, const stencil_result *part, const void *context)
{
    int inner = array->rank - 1;
    stencil_row row;
    aside->run_count = 0;
    aside->bytes = 0;
    for (int more = stencil_first_array_row(&row, array, &part->box); more; more = stencil_next_row(&row)) {
        long long length = part->contains ? 1 : row.length, end = row.cell[inner] + row.length;
        for (; row.cell[inner] < end; row.cell[inner] += length) {
            if (part->contains && !part->contains(row.cell, context))
                continue;
            if (aside->runs)
                aside->runs[aside->run_count] =
                    (struct stencil_run){stencil_element(array, row.cell), length, array->stride[inner]};
            aside->run_count++;
            aside->bytes += (size_t)length * array->element_size;
        }
    }
}

/* Whether what a part held after `delivered` steps is kept already. */
static int stencil_is_aside(const stencil_recording *recording, int rank, const stencil_result *part)
{
    for (const stencil_aside *aside = recording->asides; aside; aside = aside->before) {
        int is_in = aside->array == part->array;
        for (int d = 0; d < rank; d++)
            is_in &= aside->box.lo[d] <= part->box.lo[d] && part->box.hi[d] <= aside->box.hi[d];
        if (is_in)
            return 1;
    }
    return 0;
}

/* Puts before `last` room for a part of an array; null without memory. */
static stencil_aside *stencil_add_aside(stencil_aside **last, const stencil_call *call, const stencil_result *part)
{
    const stencil_array *array = &call->arrays[part->array];
    stencil_aside *aside = calloc(1, sizeof *aside);
    if (!aside)
        return NULL;
    aside->before = *last;
    *last = aside;
    aside->array = part->array;
    aside->box = part->box;
    aside->element_size = array->element_size;
    stencil_list_runs(aside, array, part, call->context);
    aside->runs = malloc((size_t)(aside->run_count + 1) * sizeof *aside->runs);
    aside->elements = malloc(aside->bytes + 1);
    if (!aside->runs || !aside->elements) {
        aside->run_count = 0;
        return NULL;
    }
    stencil_list_runs(aside, array, part, call->context);
    return aside;
}

/* Keeps what the array holds where a part will go. 0 without memory. */
static int stencil_keep_one(stencil_recording *recording, const stencil_call *call, const stencil_result *part)
{
    const stencil_aside *aside = stencil_add_aside(&recording->asides, call, part);
    if (!aside)
        return 0;
    stencil_copy_aside(aside, 0);
    recording->aside_bytes += aside->bytes;
    return 1;
}

/* Keeps what all arrays hold where parts will go; nothing has been brought yet. 0 without memory. */
static int stencil_keep_aside(stencil_recording *recording, const stencil_call *call, const stencil_result *parts, int count)
{
    for (int i = 0; i < count; i++) {
        int rank = call->arrays[parts[i].array].rank;
        if (!stencil_is_empty(rank, &parts[i].box) && !stencil_is_aside(recording, rank, &parts[i]) &&
            !stencil_keep_one(recording, call, &parts[i]))
            return 0;
    }
    return 1;
}

/* Cells of a box, as a number that may be rounded. */
static double stencil_volume(int rank, const stencil_box *box)
{
    double cells = 1;
    for (int d = 0; d < rank; d++)
        cells *= box->lo[d] > box->hi[d] ? 0 : (double)(box->hi[d] - box->lo[d] + 1);
    return cells;
}

/* Bytes of a box of an array. */
static double stencil_bytes_of(const stencil_array *array, const stencil_box *box)
{
    return (double)array->element_size * stencil_volume(array->rank, box);
}

/* Copies that are kept at most: all are looked through for each part. */
static const int stencil_most_asides = 256;

static int stencil_count_asides(const stencil_recording *recording)
{
    int count = 0;
    for (const stencil_aside *aside = recording->asides; aside; aside = aside->before)
        count++;
    return count;
}

/* Whether parts are brought alone: there are few copies, and with theirs they come to less than half of all that might be brought.
   Programs that read large parts, now here and now there, would copy more than they save. */
static int stencil_is_worth_keeping(stencil_recording *recording, const stencil_call *call, const stencil_result *parts, int count)
{
    double all = 0, more = 0;
    for (int i = 0; i < call->result_count; i++)
        all += stencil_bytes_of(&call->arrays[call->results[i].array], &call->results[i].box);
    for (int i = 0; i < count; i++)
        if (!stencil_is_aside(recording, call->arrays[parts[i].array].rank, &parts[i]))
            more += stencil_bytes_of(&call->arrays[parts[i].array], &parts[i].box);
    if (more > 0 && (stencil_count_asides(recording) + count > stencil_most_asides || (recording->brings_all && more > all / 64)))
        return 0;
    recording->brings_all |= (double)recording->aside_bytes + more > all / 2;
    return (double)recording->aside_bytes + more <= all / 2;
}

/* Whether an address is where an array begins for the program, or in what the nest uses of it. */
static int stencil_leads_to(const stencil_array *array, const char *address)
{
    stencil_box used = array->used;
    uintptr_t begin, end;
    if (address == array->base)
        return 1;
    if (stencil_is_plain(array))
        return stencil_find_bytes(array, &begin, &end) && begin <= (uintptr_t)address && (uintptr_t)address < end;
    stencil_narrow_rows(array, &used, address, address + 1);
    return !stencil_is_empty(array->rank, &used);
}

/* Whether an array of the call has the address at which a wanted array is to begin. */
static int stencil_is_known(const stencil_recording *recording, const stencil_call *call)
{
    for (int i = 0; i < call->array_count; i++)
        if (stencil_leads_to(&call->arrays[i], recording->from))
            return 1;
    return 0;
}

/* The results with boxes of what is wanted of them, none of them empty; null without memory. */
static stencil_result *stencil_wanted_parts(const stencil_recording *recording, const stencil_call *call, int *count)
{
    stencil_result *parts = malloc((size_t)(call->result_count + 1) * sizeof *parts);
    int wants_all = !recording->to && !stencil_is_known(recording, call);
    *count = 0;
    for (int i = 0; parts && i < call->result_count; i++) {
        stencil_result part = call->results[i];
        const stencil_array *array = &call->arrays[part.array];
        if (recording->to)
            stencil_narrow(recording, call, array, &part.box);
        if (recording->to ? !stencil_is_empty(array->rank, &part.box)
                          : wants_all || stencil_leads_to(array, recording->from))
            parts[(*count)++] = part;
    }
    return parts;
}

/* Whether something of the results is wanted, or nobody can say. */
static int stencil_meets(const stencil_recording *recording, const stencil_call *call)
{
    int count;
    stencil_result *parts = stencil_wanted_parts(recording, call, &count);
    int meets = !parts || count > 0;
    free(parts);
    return meets;
}
