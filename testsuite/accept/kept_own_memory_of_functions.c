// Functions of the host allocate memory for themselves, in any block, fill it from arrays of the nest, and give it back.
// args: 21 17 33 ; 9 8 1 ; 12 30 0
// form: loops that the host keeps: unsigned char *row = malloc(m);
#include "dump.h"

static void write_image(const float *u, int n, int m)
{
    unsigned char *row = malloc(m);
    unsigned long sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            float v = u[i * m + j];
            row[j] = v < 0 ? 0 : v > 1 ? 255 : (unsigned char)(255 * v);
            sum = sum * 31 + row[j];
        }
    }
    free(row);
    printf("%lu\n", sum);
}

static double middle(const float *u, int n, int m)
{
    double found = 0;
    if (n > 2) {
        double *line = NULL;
        line = calloc(m, sizeof *line);
        for (int j = 0; j < m; j++)
            line[j] = u[n / 2 * m + j];
        for (int j = 1; j < m; j++)
            line[0] += line[j];
        found = line[0];
        free(line);
    }
    return found;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 21), m = argument(argc, argv, 2, 17), steps = argument(argc, argv, 3, 33);
    float *u = new_float(n * m, 1), *v = new_float(n * m, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i * m + j] = 0.25f * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
        float *w = u;
        u = v;
        v = w;
        if (t % 8 == 3)
            write_image(u, n, m);
        if (t % 10 == 9)
            printf("%a\n", middle(u, n, m));
    }
    show_float("u", u, n * m); show_float("v", v, n * m);
    free(u); free(v);
    return 0;
}
