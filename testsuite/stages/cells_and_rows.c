// dump: steps
// Members of cells, rows behind pointers, a local array, `float`, conditions on data and on the step, a record of each step.
struct cell {
    float f[2], rate;
};

void relax(int n, int m, int steps, struct cell *cells, float **rows, const int *wall, float *trace)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                float near[2];
                for (int k = 0; k < 2; k++)
                    near[k] = cells[i * m + j - 1].f[k] + cells[i * m + j + 1].f[k];
                if (wall[i] > 0) {
                    rows[i][j] = near[0] - near[1] * cells[i * m + j].rate;
                } else {
                    float weight = wall[i] == 0 ? rows[i][j] : 0.5f;
                    rows[i][j] = weight * near[1];
                }
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                cells[i * m + j].f[0] = rows[i][j];
                if (j > i && t % 3 == 0)
                    cells[i * m + j].f[1] += 0.25f * rows[i][j];
            }
        trace[t] = rows[1][1];
    }
}
