/* Point functions that two files share. */
float limiter(const float *u, int i, int n);
void extremes(const float *u, int i, float *low, float *high);
