#ifndef WAVE_H
#define WAVE_H

/* Moves an n x m membrane on by `steps` steps. `past` and `now` are two successive states, `next`
 * is room for a third, `speed2` holds the squared speed (in cells a step, below 0.5). Returns
 * whichever of the three holds the newest state. */
double *wave_run(int n, int m, int steps, double *past, double *now, double *next,
                 const double *speed2);

#endif
