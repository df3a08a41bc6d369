void f(int n, int m, int steps, double *a, double *b) {
#pragma stencil 
for (int i = 1; i < n-1; i++) { double s = 0; for (int k = 0; k < 8; k++) for (int l = 0; l < 8; l++) for (int p = 0; p < 8; p++) for (int q = 0; q < 8; q++) s += a[i+k+l+p+q]; b[i] = s; }
}
