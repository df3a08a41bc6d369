/* What the runtime needs from outside: OpenCL 1.2, the C library, three calls of the operating system, and more of them
   for the kernel cache, which is left out where they are missing. */

/* With -std=c99 the C library shows what POSIX adds only on request. */
#if defined(__STRICT_ANSI__) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#ifdef __APPLE__
#define CL_SILENCE_DEPRECATION
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif

#include <float.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__unix__) || defined(__APPLE__)
#define STENCIL_POSIX 1
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>
#else
#define STENCIL_POSIX 0
#endif
#ifdef __linux__
#include <sys/auxv.h>
#endif
#if defined(__SANITIZE_ADDRESS__)
#define STENCIL_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STENCIL_ADDRESS_SANITIZER
#endif
#endif
#ifdef STENCIL_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif
#if defined(__linux__) && defined(__GNUC__)
#define STENCIL_HAS_THREADS 1
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#else
#define STENCIL_HAS_THREADS 0
#endif

/* The kernel cache needs the calls of POSIX 2008 that cannot be led astray by links. */
#if STENCIL_POSIX && defined(AT_FDCWD) && defined(O_NOFOLLOW) && defined(O_DIRECTORY) && defined(O_CLOEXEC)
#define STENCIL_HAS_CACHE 1
#else
#define STENCIL_HAS_CACHE 0
#endif

/* Some OpenCL 1.2 headers have it only as an extension. */
#ifndef CL_DEVICE_DOUBLE_FP_CONFIG
#define CL_DEVICE_DOUBLE_FP_CONFIG 0x1032
#endif

/* Number of this process, never 0. */
static int stencil_process(void)
{
#if STENCIL_POSIX
    return (int)getpid();
#else
    return 1;
#endif
}

/* Seconds since some fixed moment. */
static double stencil_now(void)
{
#if STENCIL_POSIX && defined(CLOCK_MONOTONIC)
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#elif STENCIL_POSIX
    struct timeval now;
    gettimeofday(&now, NULL);
    return (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
#else
    return (double)clock() / CLOCKS_PER_SEC;
#endif
}

/* Seconds of work of the calling thread, in which nobody else's count. */
static double stencil_worked(void)
{
#if STENCIL_POSIX && defined(CLOCK_THREAD_CPUTIME_ID)
    struct timespec worked;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &worked);
    return (double)worked.tv_sec + 1e-9 * (double)worked.tv_nsec;
#else
    return stencil_now();
#endif
}

/* Lets others run while this one waits. */
static void stencil_pause(void)
{
#if STENCIL_POSIX
    sched_yield();
#endif
}
