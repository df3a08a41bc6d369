// Directions that another file defines.
#ifndef DIRECTIONS_H
#define DIRECTIONS_H

#define WAYS 5

typedef struct {
    double x, y;
} direction;

extern const int along[WAYS], across[];
extern const direction ways[WAYS];

void stream(int n, int m, double *f, const double *g);

#endif
