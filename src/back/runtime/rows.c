/* Arrays whose rows are found through tables of pointers: whether what the nest stores is in one place only. Rows that it does not
   use are not looked at, and their pointers neither. */

/* Bytes from `begin` to before `end`. */
typedef struct {
    uintptr_t begin, end;
} stencil_bytes;

/* Pieces of memory. */
typedef struct {
    stencil_bytes *pieces;
    size_t count, most;
} stencil_pieces;

/* What the nest uses of an array. */
typedef struct {
    stencil_pieces elements, pointers;
    int is_missing; /* there is no memory for some of it */
} stencil_places;

/* What is asked before pointers are followed to rows that may not be there, and then of these; how far they are apart. */
typedef struct {
    stencil_page_check pointers, elements;
    int has_first, has_distance[STENCIL_MAX_RANK];
    long long first[STENCIL_MAX_RANK]; /* the first cell of the first row */
    uintptr_t block;                   /* where its pointer leads to */
    intptr_t distance[STENCIL_MAX_RANK];
} stencil_row_checks;

/* Adds a piece, or lengthens the last one if there are less than `gap` bytes between; 0 without memory. */
static int stencil_add_piece(stencil_pieces *all, uintptr_t begin, size_t size, uintptr_t gap)
{
    stencil_bytes *last = all->count ? &all->pieces[all->count - 1] : NULL;
    if (last && last->end <= begin && begin - last->end < gap) {
        last->end = begin + size;
        return 1;
    }
    if (all->count == all->most) {
        size_t most = 2 * all->most + 64;
        stencil_bytes *more = most <= SIZE_MAX / sizeof *more ? realloc(all->pieces, most * sizeof *more) : NULL;
        if (!more)
            return 0;
        all->pieces = more;
        all->most = most;
    }
    all->pieces[all->count].begin = begin;
    all->pieces[all->count++].end = begin + size;
    return 1;
}

/* Whether a pointer can be read. */
static int stencil_has_pointer(stencil_row_checks *checks, const char *pointer)
{
    return stencil_ask_for(&checks->pointers, (uintptr_t)pointer, (uintptr_t)pointer + sizeof pointer) &&
           stencil_can_read(&checks->pointers);
}

/* Adds the pointers that lead to a cell, but those that led to the cell before it in the same tables. */
static int stencil_add_pointers(stencil_places *places, const stencil_array *array, int table_rank, const long long *cell,
                                const void **tables, stencil_row_checks *checks)
{
    const char *pointer = array->base;
    long long index = 0;
    for (int d = -1; d < table_rank; d++) {
        index += d < 0 ? 0 : cell[d] * array->stride[d];
        if (!(d < 0 ? array->is_behind_pointer : array->is_pointer[d]))
            continue;
        pointer += index * (long long)sizeof pointer;
        if (!pointer || tables[d + 1] != pointer) {
            places->is_missing |= checks && !stencil_has_pointer(checks, pointer);
            if (places->is_missing || !stencil_add_piece(&places->pointers, (uintptr_t)pointer, sizeof pointer, 1))
                return 0;
        }
        tables[d + 1] = pointer;
        pointer = stencil_followed(pointer, 0);
        index = 0;
    }
    return 1;
}

/* Whether the pointers to rows lead to places that are evenly spaced, up to that cell: so are rows of one block of memory, and rows
   that are equally long if they were allocated one after another. Where two distances are unknown at once it begins anew. */
static int stencil_is_evenly_spaced(stencil_row_checks *checks, const stencil_array *array, const long long *cell)
{
    int table_rank = stencil_table_rank(array), unknown = -1;
    uintptr_t block = (uintptr_t)stencil_block(array, table_rank, cell), expected = checks->block;
    int begins = !checks->has_first;
    for (int d = 0; d < table_rank && !begins; d++) {
        intptr_t steps = (intptr_t)(cell[d] - checks->first[d]);
        int is_unknown = steps != 0 && !checks->has_distance[d];
        begins = is_unknown && unknown >= 0;
        if (is_unknown)
            unknown = d;
        else
            expected += (uintptr_t)(steps * checks->distance[d]);
    }
    if (begins) {
        memcpy(checks->first, cell, sizeof checks->first);
        checks->block = block;
        checks->has_first = 1;
        return 1;
    }
    if (unknown >= 0) {
        intptr_t steps = (intptr_t)(cell[unknown] - checks->first[unknown]);
        checks->distance[unknown] = (intptr_t)(block - expected) / steps;
        checks->has_distance[unknown] = 1;
        expected += (uintptr_t)(steps * checks->distance[unknown]);
    }
    return expected == block;
}

/* Adds a row of an array. Of structures what is between their members counts, too. */
static int stencil_add_row(stencil_places *places, const stencil_array *array, const stencil_row *row, stencil_row_checks *checks)
{
    uintptr_t begin = (uintptr_t)stencil_element(array, row->cell), gap = array->record > 0 ? (uintptr_t)array->record : 1;
    size_t size = (size_t)row->length * array->element_size;
    places->is_missing |= checks && ((array->is_written && !stencil_is_evenly_spaced(checks, array, row->cell)) ||
                                     begin > UINTPTR_MAX - size || !stencil_ask_for(&checks->elements, begin, begin + size));
    return !places->is_missing && stencil_add_piece(&places->elements, begin, size, gap);
}

/* Finds all rows of an array, and the pointers to them, which may be missing if there are checks. */
static int stencil_find_rows(stencil_places *places, const stencil_array *array, stencil_row_checks *checks)
{
    const void *tables[STENCIL_MAX_RANK + 1] = {NULL};
    int table_rank = stencil_table_rank(array);
    stencil_row row;
    for (int more = stencil_first_array_row(&row, array, &array->used); more; more = stencil_next_row(&row))
        if (!stencil_add_pointers(places, array, table_rank, row.cell, tables, checks) ||
            !stencil_add_row(places, array, &row, checks))
            return 0;
    return 1;
}

/* The same for an array of which some rows may not be there. */
static int stencil_find_assumed_rows(stencil_places *places, const stencil_array *array)
{
    stencil_row_checks checks = {.has_first = 0};
    int is_open[2] = {stencil_begin_page_check(&checks.pointers), stencil_begin_page_check(&checks.elements)};
    int are_found = is_open[0] && is_open[1] && stencil_find_rows(places, array, &checks);
    places->is_missing |= !is_open[0] || !is_open[1] || (are_found && !stencil_can_read(&checks.elements));
    if (is_open[0])
        stencil_end_page_check(&checks.pointers);
    if (is_open[1])
        stencil_end_page_check(&checks.elements);
    return are_found && !places->is_missing;
}

static int stencil_compare_bytes(const void *left, const void *right)
{
    const stencil_bytes *a = left, *b = right;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Sorts pieces, which often are in order. */
static void stencil_sort_pieces(stencil_pieces *all)
{
    size_t i = 1;
    while (i < all->count && all->pieces[i - 1].begin <= all->pieces[i].begin)
        i++;
    if (i < all->count)
        qsort(all->pieces, all->count, sizeof *all->pieces, stencil_compare_bytes);
}

static int stencil_find_block(stencil_places *places, const stencil_array *array)
{
    uintptr_t begin, end;
    return stencil_find_bytes(array, &begin, &end) && stencil_add_piece(&places->elements, begin, end - begin, 1);
}

/* Finds what the nest uses of an array; 0 without memory, or if the array is too large or something of it is missing. */
static int stencil_find_places(stencil_places *places, const stencil_array *array)
{
    if (stencil_is_plain(array)    ? !stencil_find_block(places, array)
        : array->is_assumed        ? !stencil_find_assumed_rows(places, array)
                                   : !stencil_find_rows(places, array, NULL))
        return 0;
    stencil_sort_pieces(&places->elements);
    stencil_sort_pieces(&places->pointers);
    return 1;
}

/* Whether each sorted piece ends before the next one begins. */
static int stencil_are_distinct(const stencil_pieces *all)
{
    for (size_t i = 1; i < all->count; i++)
        if (all->pieces[i - 1].end > all->pieces[i].begin)
            return 0;
    return 1;
}

/* Whether no piece of one list has a byte of the other's. Those of `apart` are distinct. */
static int stencil_are_apart(const stencil_pieces *apart, const stencil_pieces *others)
{
    size_t i = 0;
    for (size_t k = 0; k < others->count; k++) {
        const stencil_bytes *other = &others->pieces[k];
        while (i < apart->count && apart->pieces[i].end <= other->begin)
            i++;
        if (i < apart->count && other->begin < other->end && apart->pieces[i].begin < other->end)
            return 0;
    }
    return 1;
}

/* Whether two arrays are different members of the structures in the same rows. */
static int stencil_are_other_members_of_rows(const stencil_array *a, const stencil_array *b)
{
    int rank = stencil_table_rank(a);
    int are_same = a->record > 0 && a->record == b->record && a->base == b->base && rank == stencil_table_rank(b) &&
                   a->is_behind_pointer == b->is_behind_pointer &&
                   (a->record_end <= b->record_first || b->record_end <= a->record_first);
    for (int d = 0; are_same && d < rank; d++)
        are_same = a->is_pointer[d] == b->is_pointer[d] && a->stride[d] == b->stride[d];
    return are_same;
}

/* Whether what is stored in a written array, whose places are given, meets nothing of another one. */
static int stencil_check_places(const stencil_call *call, const stencil_places *places, int written, int other,
                                stencil_failure *failure)
{
    const stencil_array *a = &call->arrays[written], *b = &call->arrays[other];
    int first = written < other ? written : other, last = written < other ? other : written;
    int has_rows = !stencil_is_plain(a) || !stencil_is_plain(b);
    if (!stencil_are_apart(&places[written].elements, &places[other].pointers))
        return stencil_fail(failure, "array %s may change the pointers to rows of array %s", a->name, b->name);
    if (written == other || !has_rows || a->is_restrict || b->is_restrict || stencil_may_be_one_array(call, first, last) ||
        stencil_are_other_members_of_rows(a, b) || stencil_are_apart(&places[written].elements, &places[other].elements))
        return 1;
    return stencil_fail(failure, "arrays %s and %s overlap", a->name, b->name);
}

/* Whether nothing that is stored in a written array is in a second place that the nest uses. */
static int stencil_check_stores(const stencil_call *call, const stencil_places *places, int written, stencil_failure *failure)
{
    const stencil_array *array = &call->arrays[written];
    if (!stencil_are_distinct(&places[written].elements))
        return stencil_fail(failure, "rows of array %s overlap", array->name);
    for (int i = 0; i < call->array_count; i++)
        if (!stencil_check_places(call, places, written, i, failure))
            return 0;
    return 1;
}

/* Whether no element of an array whose places are given is a variable that one of the two may change. */
static int stencil_check_variables_of(const stencil_call *call, const stencil_places *places, int array, stencil_failure *failure)
{
    for (int i = 0; i < call->variable_count; i++) {
        const stencil_variable *variable = &call->variables[i];
        stencil_bytes bytes = {(uintptr_t)variable->address, (uintptr_t)variable->address + variable->size};
        stencil_pieces one = {&bytes, 1, 1};
        if ((call->arrays[array].is_written || variable->is_left) && !stencil_are_apart(&places[array].elements, &one))
            return stencil_fail_for_variable(&call->arrays[array], variable, failure);
    }
    return 1;
}

static void stencil_release_places(stencil_places *places, int count)
{
    for (int i = 0; places && i < count; i++) {
        free(places[i].elements.pieces);
        free(places[i].pointers.pieces);
    }
    free(places);
}

/* Checks a call with tables of pointers; blocks of memory alone have been compared before. */
static int stencil_check_tables(const stencil_call *call, stencil_places *places, stencil_failure *failure)
{
    for (int i = 0; i < call->array_count; i++)
        if (!stencil_find_places(&places[i], &call->arrays[i]))
            return places[i].is_missing ? stencil_fail_assumed(&call->arrays[i], failure) : stencil_no_memory(failure);
    for (int i = 0; i < call->array_count; i++)
        if ((call->arrays[i].is_written && !stencil_check_stores(call, places, i, failure)) ||
            !stencil_check_variables_of(call, places, i, failure))
            return 0;
    return 1;
}

static int stencil_check_rows(const stencil_call *call, stencil_failure *failure)
{
    stencil_places *places;
    int is_good, has_tables = 0;
    for (int i = 0; i < call->array_count; i++)
        has_tables |= !stencil_is_plain(&call->arrays[i]);
    if (!has_tables)
        return 1;
    places = calloc((size_t)call->array_count, sizeof *places);
    is_good = places ? stencil_check_tables(call, places, failure) : stencil_no_memory(failure);
    stencil_release_places(places, call->array_count);
    return is_good;
}
