/* Whether there is memory where an array may have ended before.

   An element that is read under a condition on data exists where the condition holds. On their way to a device all elements of
   a box are read, so there must be memory behind all of them; what it holds does not matter where the condition does not. The
   kernel is asked to copy one byte of each page into a pipe: it refuses where there is nothing to be read. */

#if STENCIL_POSIX

enum { STENCIL_PAGES_AT_ONCE = 16 }; /* POSIX promises that so many parts may be written at once, and that a pipe holds them */

/* Whether a byte of each of some parts of memory can be read; nothing is left in the pipe. */
static int stencil_can_read(const int *pipe_ends, const struct iovec *parts, int count)
{
    char bytes[STENCIL_PAGES_AT_ONCE];
    struct iovec copies = { bytes, (size_t)count };
    ssize_t written = writev(pipe_ends[1], parts, count);

    return written == count && readv(pipe_ends[0], &copies, 1) == count;
}

static int stencil_can_read_pages(const int *pipe_ends, uintptr_t begin, uintptr_t end)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    struct iovec parts[STENCIL_PAGES_AT_ONCE];
    int count = 0;

    for (uintptr_t next = begin; next < end; next = (next / page + 1) * page) {
        parts[count].iov_base = (void *)next;
        parts[count].iov_len = 1;
        if (++count == STENCIL_PAGES_AT_ONCE) {
            if (!stencil_can_read(pipe_ends, parts, count))
                return 0;
            count = 0;
        }
    }
    return count == 0 || stencil_can_read(pipe_ends, parts, count);
}

/* Whether bytes from `begin` to before `end` can be read. */
static int stencil_is_readable(uintptr_t begin, uintptr_t end)
{
    int pipe_ends[2], is_readable;

#ifdef STENCIL_ADDRESS_SANITIZER
    if (__asan_region_is_poisoned((void *)begin, end - begin))
        return 0;
#endif
    if (pipe(pipe_ends) != 0)
        return 0;
    is_readable = stencil_can_read_pages(pipe_ends, begin, end);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    return is_readable;
}

#else

static int stencil_is_readable(uintptr_t begin, uintptr_t end)
{
    return begin == end;
}

#endif
