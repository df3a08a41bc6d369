/* Compiled to assembly text with the user's flags, which tells what the compiler makes of each function. C89. */
double stencil_probe_double(double a, double b, double c) { return a * b + c; }
float stencil_probe_float(float a, float b, float c) { return a * b + c; }
double stencil_probe_sum(double a, double b) { return a + b - a; }
double stencil_probe_quotient(double a) { return a / 3.0; }
#ifdef __FAST_MATH__
int stencil_probe_fast_math = 1;
#endif
#if defined(__FLT_EVAL_METHOD__) && (__FLT_EVAL_METHOD__ < 0 || __FLT_EVAL_METHOD__ == 1 || __FLT_EVAL_METHOD__ == 2)
int stencil_probe_excess_precision = 1;
#endif
