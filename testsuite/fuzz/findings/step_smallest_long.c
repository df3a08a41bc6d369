void f(int n, int m, int steps, double *a, double *b) {
#pragma stencil 
for (long i = n; i > 0; i -= (-9223372036854775807-1)) b[i] = a[i];
}
