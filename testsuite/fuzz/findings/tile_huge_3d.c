void f(int n, int m, int steps, double *a, double *b) {
static double A[100][100][100], B[100][100][100];
#pragma stencil tile(4294967295,4294967295,4294967295) time_tile(3)
for (int t = 0; t < steps; t++) {
 for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) for (int k = 1; k < m - 1; k++) B[i][j][k] = 0.5*(A[i-1][j][k]+A[i+1][j][k]);
 for (int i = 1; i < n - 1; i++)for (int j = 1; j < m - 1; j++) for (int k = 1; k < m - 1; k++) A[i][j][k] = B[i][j][k];
}
}
