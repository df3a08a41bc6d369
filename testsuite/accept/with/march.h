#ifndef MARCH_H
#define MARCH_H

#define AT(i, j) ((i) * m + (j))

typedef struct {
    int n, m, calls;
    float dt;
    long ticks;
} Mesh;

extern int verbose;

void march(Mesh *mesh, float *u, float *v, int step);
float relax(int n, float *a, float *b);

#endif
