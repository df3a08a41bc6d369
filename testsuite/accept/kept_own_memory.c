// What the host allocates for itself is none of the nest's: an image made of a grid, a row that is printed, sums of rows.
// args: 50 60 30 ; 21 9 23
// form: loops that the host keeps: byte *image = allocate((size_t)n * m);
// form: loops that the host keeps: memcpy(row, u + n / 2 * m, m * sizeof *row);
#include "dump.h"

typedef unsigned char byte;

static void *allocate(size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL)
        exit(1);
    return memory;
}

static void show_image(const void *image, int count)
{
    unsigned long sum = 0;
    for (int i = 0; i < count * count / (count + 1); i++)
        sum = sum * 31 + ((const byte *)image)[i];
    printf("image %lu\n", sum);
}

static void show_row(const double *row, int m)
{
    for (int j = m - 1; j >= 0; j /= 2) {
        printf("%a\n", row[j]);
        if (j == 0)
            break;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 50), m = argument(argc, argv, 2, 60), steps = argument(argc, argv, 3, 30);
    double *u = new_double((size_t)n * m, 1), *v = new_double((size_t)n * m, 2), *row = allocate(m * sizeof *row);
    byte *image = allocate((size_t)n * m);
    double sums[3] = {0, 0, 0};
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
        double *tmp = u;
        u = v;
        v = tmp;
        sums[t % 3] += t;
        if (t % 7 == 6) {
            printf("%d\n", t);
            memcpy(row, u + n / 2 * m, m * sizeof *row);
            show_row(row, m);
            sums[0] += row[m / 2];
        }
        if (t % 11 == 10) {
            double *least = malloc(sizeof *least);
            if (least == NULL)
                break;
            *least = 1e9;
            for (int i = 0; i < n; i++)
                for (int j = 0; j < m; j++) {
                    image[i * m + j] = (byte)(u[i * m + j] * 100);
                    *least = u[i * m + j] < *least ? u[i * m + j] : *least;
                }
            show_image(image, n * m);
            printf("%a\n", *least);
            free(least);
        }
    }
    printf("%a %a %a\n", sums[0], sums[1], sums[2]);
    show_double("u", u, (size_t)n * m);
    show_double("v", v, (size_t)n * m);
    return 0;
}
