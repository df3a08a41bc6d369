/* Bounds of sums whose order counts and of maxima, for comparisons. README.md has the reasons. */

/* Whether arithmetic rounds to the types that the text names. */
#if defined FLT_EVAL_METHOD && FLT_EVAL_METHOD == 0
enum { STENCIL_ROUNDS_AT_ONCE = 1 };
#else
enum { STENCIL_ROUNDS_AT_ONCE = 0 };
#endif

/* Roundings besides those of the sum: of what is combined in another type, and of what the host makes of it. */
static const double stencil_spare_roundings = 64;

/* Between which numbers the sum in the original order is, given a device's of values none of which is negative. 0 if that is not
   known. */
static int stencil_bound_sum(const stencil_array *array, const stencil_result *result, stencil_room *room)
{
    int is_float = array->element_size == sizeof(float);
    double unit = is_float ? FLT_EPSILON / 2 : DBL_EPSILON / 2, largest = is_float ? FLT_MAX : DBL_MAX;
    double sum = room->combined.real, share = (stencil_cells_of(array, result) + stencil_spare_roundings) * unit;
    room->ends[0] = room->ends[1] = 0;
    if (!room->has_points)
        return 1;
    if (!room->combined.is_known || !(sum >= 0 && sum <= largest / 4 && share <= 1.0 / 64))
        return 0;
    room->ends[0] = sum - 2.125 * share * sum;
    room->ends[1] = sum + 2.125 * share * sum;
    return 1;
}

/* Between which numbers a maximum is. 0 if that is not known: the upper half of infinity may be that of what is no number. */
static int stencil_bound_maximum(stencil_room *room)
{
    unsigned long long bits;
    room->ends[0] = room->ends[1] = room->has_points ? room->combined.real : 0;
    if (!room->has_points || !room->combined.is_rough)
        return !room->has_points || room->combined.is_known;
    memcpy(&bits, &room->combined.real, sizeof bits);
    bits |= 0xffffffffu;
    memcpy(&room->ends[1], &bits, sizeof bits);
    return room->combined.is_known && room->combined.real <= DBL_MAX;
}

static int stencil_bound(const stencil_array *array, const stencil_result *result, stencil_room *room)
{
    return room->fold == STENCIL_MAXIMUM ? stencil_bound_maximum(room) : stencil_bound_sum(array, result, room);
}

/* Finds the bounds of all that has some. 0 if one is not known. */
static STENCIL_UNUSED int stencil_find_ends(stencil_recording *recording, const stencil_call *call)
{
    for (int i = 0; i < call->result_count; i++) {
        const stencil_result *result = &call->results[i];
        stencil_room *room = stencil_room_of(recording, call, result);
        if (room && room->is_compared && !stencil_bound(&call->arrays[result->array], result, room))
            return 0;
    }
    return STENCIL_ROUNDS_AT_ONCE;
}
