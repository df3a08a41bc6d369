/* What the kernels of the seismic code share: single precision, grids with two more elements than
 * the domain at each side, fourth-order staggered differences. */
#ifndef EXAMPLES_AWP_H
#define EXAMPLES_AWP_H

#define REAL float
#include "../support.h"

/* Elements of a grid around a domain of nx * ny * nz points. */
static inline size_t awp_elements(int nx, int ny, int nz)
{
    return (size_t)(nx + 4) * (ny + 4) * (nz + 4);
}

/* A new grid with values in [base, base + 2): a wave field with base -1, a medium with base > 0. */
static inline void *awp_grid(int nx, int ny, int nz, float base, unsigned seed)
{
    size_t elements = awp_elements(nx, ny, nz);
    float *grid = allocate(elements, sizeof(float));

    fill(grid, nz + 4, ny + 4, nx + 4, seed);
    for (size_t i = 0; i < elements; i++)
        grid[i] += base;
    return grid;
}

#endif
