/* Whether there is memory where an array may have ended before.

   An element that is read under a condition on data exists where the condition holds. On their way to a device all elements of
   a box are read, so there must be memory behind all of them; what it holds does not matter where the condition does not. The
   kernel is asked to copy one byte of each page into a pipe: it refuses where there is nothing to be read. */

#if STENCIL_POSIX

enum { STENCIL_PAGES_AT_ONCE = 16 }; /* POSIX promises that so many parts may be written at once, and that a pipe holds them */

/* Somebody who asks for memory, and the bytes that are to be copied next, one of each page. */
typedef struct {
    int pipe_ends[2], count;
    uintptr_t page, last; /* bytes of a page, and the number of the last one that was asked for, plus 1 */
    struct iovec parts[STENCIL_PAGES_AT_ONCE];
} stencil_page_check;

static int stencil_begin_page_check(stencil_page_check *check)
{
    check->count = 0;
    check->last = 0;
    check->page = (uintptr_t)sysconf(_SC_PAGESIZE);
    return pipe(check->pipe_ends) == 0;
}

/* Whether all bytes that were asked for can be read; nothing is left in the pipe. */
static int stencil_can_read(stencil_page_check *check)
{
    char bytes[STENCIL_PAGES_AT_ONCE];
    int count = check->count;
    struct iovec copies = { bytes, (size_t)count };

    check->count = 0;
    return count == 0 || (writev(check->pipe_ends[1], check->parts, count) == count &&
                          readv(check->pipe_ends[0], &copies, 1) == count);
}

/* Asks for bytes from `begin` to before `end`; 0 if some that were asked for cannot be read. */
static int stencil_ask_for(stencil_page_check *check, uintptr_t begin, uintptr_t end)
{
    const uintptr_t page = check->page;

#ifdef STENCIL_ADDRESS_SANITIZER
    if (begin < end && __asan_region_is_poisoned((void *)begin, end - begin))
        return 0;
#endif
    for (uintptr_t next = begin; next < end; next = (next / page + 1) * page) {
        if (next / page + 1 == check->last)
            continue;
        check->last = next / page + 1;
        check->parts[check->count].iov_base = (void *)next;
        check->parts[check->count].iov_len = 1;
        if (++check->count == STENCIL_PAGES_AT_ONCE && !stencil_can_read(check))
            return 0;
    }
    return 1;
}

static void stencil_end_page_check(stencil_page_check *check)
{
    close(check->pipe_ends[0]);
    close(check->pipe_ends[1]);
}

#else

typedef struct {
    int is_open;
} stencil_page_check;

static int stencil_begin_page_check(stencil_page_check *check)
{
    check->is_open = 1;
    return 1;
}

static int stencil_can_read(stencil_page_check *check)
{
    return check->is_open;
}

static int stencil_ask_for(stencil_page_check *check, uintptr_t begin, uintptr_t end)
{
    return check->is_open && begin >= end;
}

static void stencil_end_page_check(stencil_page_check *check)
{
    check->is_open = 0;
}

#endif

/* Whether bytes from `begin` to before `end` can be read. */
static int stencil_is_readable(uintptr_t begin, uintptr_t end)
{
    stencil_page_check check;
    int is_readable;

    if (!stencil_begin_page_check(&check))
        return 0;
    is_readable = stencil_ask_for(&check, begin, end) && stencil_can_read(&check);
    stencil_end_page_check(&check);
    return is_readable;
}
