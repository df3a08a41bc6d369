#include <stdio.h>

#include "cells.h"

void border(struct field *f)
{
    for (int j = 0; j < f->ny; j++) {
        put(f, -1, j, at(f, f->nx - 1, j));
        put(f, f->nx, j, at(f, 0, j));
    }
}

void report(const struct field *f, int step) { printf("step %d: %.17g %.17g\n", step, at(f, 2, 3), mean(f, 1, 1)); }
