/* What drivers need of the compiler and the C library. */

#include <limits.h>
#include <stddef.h>
#include <string.h>

/* The header is to declare functions and nothing else. */
#define STENCIL_DRIVER

/* A variable of each thread. Where there is none, a program must not call from several threads. */
#if defined(__GNUC__) || defined(__clang__)
#define STENCIL_THREAD __thread
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L && !defined(__STDC_NO_THREADS__)
#define STENCIL_THREAD _Thread_local
#else
#define STENCIL_THREAD
#endif

/* Names the call of the calling function that is going on, for a function that is not inlined: calls from one place of one
   call have the same. */
#if defined(__clang__)
#define STENCIL_FRAME __builtin_frame_address(0)
#define STENCIL_NOINLINE __attribute__((noinline))
#elif defined(__GNUC__)
#define STENCIL_FRAME __builtin_frame_address(0)
#define STENCIL_NOINLINE __attribute__((noinline, noclone))
#else
#define STENCIL_FRAME NULL
#define STENCIL_NOINLINE
#endif

/* For what not every driver needs, and clang would say so. */
#if defined(__GNUC__) || defined(__clang__)
#define STENCIL_UNUSED __attribute__((unused))
#else
#define STENCIL_UNUSED
#endif
