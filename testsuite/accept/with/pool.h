/* What the files of a simulation share; that with the nest does not include it. */
extern const int width;
extern int rows, last_step;
extern double *now, *next, (*weights)[9], sources[4];
