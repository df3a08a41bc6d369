// The host reads an element, a row, an inner box, the other buffer and a plane between steps, each where nothing else was brought;
// once it writes an element, and it frees nothing.
// args: 12 9 26 ; 9 14 5 ; 7 7 1
// form: loops that the host keeps: printf("element %.17g\n", u[3 * m + t % 5]);
#include "dump.h"

static double sum_row(const double *row, int m)
{
    double sum = 0;
    for (int j = 0; j < m; j++)
        sum += row[j];
    return sum;
}

static double sum_box(int n, int m, const double *u)
{
    double sum = 0;
    for (int i = 1; i < n - 1; i++) {
        const double *row = u + i * m;
        for (int j = m - 2; j > 0; j -= 2)
            sum += row[j];
    }
    return sum;
}

static void show_plane(int n, int m, double planes[2][n][m], int plane)
{
    for (int i = 0; i < n; i++)
        printf(" %.17g", planes[plane][i][i % m]);
    printf("\n");
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 12), m = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 26);
    double *u = new_double((size_t)n * m, 1), *v = new_double((size_t)n * m, 2), *tmp;
    double(*planes)[n][m] = (void *)new_double((size_t)2 * n * m, 3);
    double sum = 0;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                planes[t % 2][i][j] = v[i * m + j] - u[i * m + j];
        tmp = u;
        u = v;
        v = tmp;
        if (t % 3 == 1)
            printf("element %.17g\n", u[3 * m + t % 5]);
        if (t % 4 == 1)
            printf("row %.17g\n", sum_row(u + n / 2 * m, m));
        if (t % 5 == 2)
            printf("row of the last step %.17g\n", sum_row(&v[2 * m], m));
        if (t % 7 == 3)
            printf("box %.17g\n", sum_box(n, m, u));
        if (t % 6 == 2)
            show_plane(n, m, planes, t % 2);
        if (t % 4 == 3)
            for (int j = 1; j < m; j += 3)
                sum += planes[0][n / 2][j];
        if (t == 17)
            u[m + 1] = sum;
    }
    printf("%.17g\n", sum);
    show_double("u", u, (size_t)n * m);
    show_double("v", v, (size_t)n * m);
    show_double("planes", &planes[0][0][0], (size_t)2 * n * m);
    return 0;
}
