#ifndef SCALE_H
#define SCALE_H

/* Each file has its own. */
static double scale = 0.5;

static inline double scaled(const double *a, int i) { return scale * a[i]; }

void rescale(double factor);
void report(const double *a, int n);

#endif
