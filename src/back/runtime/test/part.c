/* Which elements of an array a range of addresses has, and what is kept aside of them. */

#include "runtime.h"

#include "check.h"

enum { RANK = 3, BYTES = 4096 };

static unsigned long long state = 1;

/* A number from `low` to `high`. */
static long long draw(long long low, long long high)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (long long)((state >> 33) % (unsigned long long)(high - low + 1));
}

/* An array somewhere in `memory`, with dimensions in any order, apart or interleaved, forwards or backwards. */
static stencil_array draw_array(char *memory, stencil_box *box)
{
    stencil_array array = {.name = "a", .base = memory + BYTES / 2, .element_size = draw(0, 1) ? 8 : 4, .rank = (int)draw(1, RANK)};
    long long stride = draw(1, 2);
    int first = (int)draw(0, array.rank - 1);
    for (int i = 0; i < array.rank; i++) {
        int d = (first + i) % array.rank;
        box->lo[d] = draw(-2, 2);
        box->hi[d] = box->lo[d] + draw(0, 4);
        array.stride[d] = draw(0, 4) ? stride : -stride;
        stride *= 4 + draw(1, 3);
    }
    array.used = *box;
    return array;
}

/* Whether a box with bytes from `from` to `to` has all elements with such bytes, and no cell outside their hull if one row has
   them all. */
static int is_narrowed(const stencil_array *array, const stencil_box *box, const char *from, const char *to)
{
    stencil_box narrow = *box, hull = stencil_empty_box();
    stencil_row row;
    int is_complete = 1, is_row = 1;
    stencil_narrow_plain(array, &narrow, from, to);
    for (int more = stencil_first_row(&row, array->rank, box); more; more = stencil_next_row(&row))
        for (long long end = row.cell[array->rank - 1] + row.length; row.cell[array->rank - 1] < end; row.cell[array->rank - 1]++) {
            const char *place = stencil_element(array, row.cell);
            stencil_box cell;
            if (place + array->element_size <= from || to <= place)
                continue;
            memcpy(cell.lo, row.cell, sizeof cell.lo);
            memcpy(cell.hi, row.cell, sizeof cell.hi);
            hull = stencil_hull(hull, cell, array->rank);
            for (int d = 0; d < array->rank; d++)
                is_complete &= narrow.lo[d] <= row.cell[d] && row.cell[d] <= narrow.hi[d];
        }
    if (stencil_is_empty(array->rank, &hull))
        return 1;
    for (int d = 0; d < array->rank - 1; d++)
        is_row &= hull.lo[d] == hull.hi[d] && array->stride[d] > array->stride[d + 1];
    for (int d = 0; is_row && array->stride[array->rank - 1] == 1 && to - from <= 8 && d < array->rank; d++)
        is_complete &= narrow.lo[d] == hull.lo[d] && narrow.hi[d] == hull.hi[d];
    return is_complete;
}

/* Parts that overlap are kept and put back. */
static int are_put_back(void)
{
    double values[6][7], before[6][7];
    stencil_array array = {.name = "a", .base = values, .element_size = sizeof(double), .rank = 2, .stride = {7, 1},
                           .used = {{0, 0}, {5, 6}}};
    stencil_result parts[3] = {{.box = {{1, 1}, {4, 3}}}, {.box = {{2, 2}, {2, 3}}}, {.box = {{3, 0}, {3, 6}}}};
    stencil_call call = {.array_count = 1, .arrays = &array, .result_count = 1, .results = parts};
    stencil_recording recording;
    int is_kept = 1;
    memset(&recording, 0, sizeof recording);
    fill(&values[0][0], 42, 5);
    memcpy(before, values, sizeof before);
    for (int i = 0; i < 3; i++) {
        stencil_row row;
        is_kept &= stencil_keep_aside(&recording, &call, &parts[i], 1);
        for (int more = stencil_first_row(&row, 2, &parts[i].box); more; more = stencil_next_row(&row))
            for (long long j = 0; j < row.length; j++)
                values[row.cell[0]][row.cell[1] + j] = -i - 1;
    }
    is_kept &= stencil_count_asides(&recording) == 2 && recording.aside_bytes == (12 + 7) * sizeof(double);
    stencil_put_back(&recording);
    return is_kept && memcmp(before, values, sizeof before) == 0 && !recording.asides;
}

int test_part(void)
{
    static char memory[BYTES];
    int failures = 0, are_narrowed = 1;
    (void)stencil_run; /* nothing runs here */
    for (int i = 0; i < 200000; i++) {
        stencil_box box;
        stencil_array array = draw_array(memory, &box);
        const char *from = memory + draw(0, BYTES - 1);
        are_narrowed &= is_narrowed(&array, &box, from, from + (draw(0, 1) ? draw(1, 8) : draw(1, BYTES / 2)));
    }
    failures += expect("ranges of addresses become boxes of elements", are_narrowed);
    failures += expect("what parts held is put back", are_put_back());
    return failures;
}
