/* The types and constants of a project, found by a -I of its own. */
#ifndef GRID_H
#define GRID_H

typedef float real_t;
typedef long index_t;

enum { HALO = 1 };
#define WEIGHT ((real_t)0.24)
#define AT(field, i, j) field[(i) * m + (j)]

#endif
