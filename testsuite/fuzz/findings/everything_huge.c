void f(int n, int m, int steps, double *a, double *b) {
#pragma stencil time_tile(4294967295) tile(4294967295) per_item(4294967295) work_group(4294967295,4294967295,4294967295)
for (int t = 0; t < steps; t++) {
 for (int i = 1; i < n - 1; i++) b[i] = 0.5*(a[i-1]+a[i+1]);
 for (int i = 1; i < n - 1; i++) a[i] = b[i];
}
}
