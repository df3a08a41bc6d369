/* A grid that the files of one program share. */
#ifndef STEPS_H
#define STEPS_H

struct grid {
    int nx, ny;
    double damping;
    double *now, *next;
};

extern double limit;

double limited(double x);
void step(const struct grid *g, double *to, const double *from);
void exchange(struct grid *g);
void damp(struct grid g, int t);

#endif
