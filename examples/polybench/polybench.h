/* The few macros that a PolyBench-style program is written with. Array extents and loop bounds are
 * run-time values: of the pair (N, n) that a declaration names, n is used. */
#ifndef EXAMPLES_POLYBENCH_H
#define EXAMPLES_POLYBENCH_H

#include "../support.h"

#ifdef DATA_TYPE_IS_FLOAT
#define DATA_TYPE float
#define SCALAR_VAL(x) x##f
#else
#define DATA_TYPE double
#define SCALAR_VAL(x) x
#endif

/* How a kernel declares the arrays it is given. */
#define POLYBENCH_1D(var, D1, d1) var[d1]
#define POLYBENCH_2D(var, D1, D2, d1, d2) var[d1][d2]
#define POLYBENCH_3D(var, D1, D2, D3, d1, d2, d3) var[d1][d2][d3]

/* How main declares and allocates them; POLYBENCH_ARRAY is what a kernel is called with. */
#define POLYBENCH_1D_ARRAY_DECL(var, type, D1, d1)                                                 \
    type(*var)[d1] = allocate((size_t)(d1), sizeof(type))
#define POLYBENCH_2D_ARRAY_DECL(var, type, D1, D2, d1, d2)                                         \
    type(*var)[d1][d2] = allocate((size_t)(d1) * (d2), sizeof(type))
#define POLYBENCH_3D_ARRAY_DECL(var, type, D1, D2, D3, d1, d2, d3)                                 \
    type(*var)[d1][d2][d3] = allocate((size_t)(d1) * (d2) * (d3), sizeof(type))
#define POLYBENCH_ARRAY(var) *var
#define POLYBENCH_FREE_ARRAY(var) free(var)

/* Loop bounds of a kernel. */
#define POLYBENCH_LOOP_BOUND(D, d) d
#define _PB_N POLYBENCH_LOOP_BOUND(N, n)
#define _PB_NX POLYBENCH_LOOP_BOUND(NX, nx)
#define _PB_NY POLYBENCH_LOOP_BOUND(NY, ny)
#define _PB_TSTEPS POLYBENCH_LOOP_BOUND(TSTEPS, tsteps)
#define _PB_TMAX POLYBENCH_LOOP_BOUND(TMAX, tmax)

/* The time that a kernel took goes to stderr, its arrays to stdout. */
#define polybench_start_instruments double polybench_start = seconds()
#define polybench_print_instruments(points, steps) report_time(polybench_start, points, steps)
#define polybench_print_array(var, count) report(#var, var, count, sizeof(DATA_TYPE))

#endif
