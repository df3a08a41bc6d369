#ifndef TWO_FACTORS_H
#define TWO_FACTORS_H

/* Sweeps of two files, each with a factor of its own. */
void grow(int n, double u[n], double v[n]);
double grown(void);
void begin_to_fade(double first);
void fade(int n, double u[n], double v[n]);
double faded(void);

#endif
