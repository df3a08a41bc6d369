/* A program of three files, two of which have a marked nest each. */
#ifndef FIELDS_H
#define FIELDS_H

#ifndef WEIGHT
#define WEIGHT 0.3
#endif

void heat(int n, int steps, double *a, double *b);
void wave(int n, int steps, double *old, double *now);

#endif
