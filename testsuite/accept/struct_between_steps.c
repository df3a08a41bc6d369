// The host looks at cells with members of several types between steps, and stores in them: members, whole structures, rows of them.
// form: loops that the host keeps: if (t % 5 == 2) memcpy(&kept[m], &a[m], (size_t)m * sizeof *a);
// form: loops that the host keeps: if (t % 6 == 1) poke(&a[2 * m + 1], t);
// args: 23 13 11 ; 4 5 6
#include "dump.h"

struct cell {
    float v;
    int fixed;
    double w[2];
    char tag;
};

static void poke(struct cell *cell, int t)
{
    cell->fixed = t % 2;
    cell->tag++;
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 23), n = argument(argc, argv, 2, 13), m = argument(argc, argv, 3, 11);
    size_t bytes = (size_t)(n * m) * sizeof(struct cell);
    struct cell *a = malloc(bytes), *b = malloc(bytes), *kept = malloc(bytes);
    memset(a, 3, bytes);
    memset(b, 4, bytes);
    for (int i = 0; i < n * m; i++) {
        a[i].v = b[i].v = (float)(i % 13);
        a[i].fixed = i % 5 == 0;
        a[i].w[0] = a[i].w[1] = b[i].w[0] = b[i].w[1] = 0.5 * i;
    }
    memcpy(kept, a, bytes);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                b[i * m + j].v = a[i * m + j].fixed ? a[i * m + j].v : 0.25f * (a[(i - 1) * m + j].v + a[i * m + j + 1].v);
                b[i * m + j].w[1] = a[i * m + j].w[0] - a[i * m + j - 1].v;
                b[i * m + j].fixed = a[i * m + j].fixed;
            }
        struct cell *old = a;
        a = b;
        b = old;
        if (t % 4 == 3)
            printf("%g %d %g\n", a[m + 2].v, a[m + 3].fixed, a[2 * m + 1].w[1]);
        if (t % 5 == 2)
            memcpy(&kept[m], &a[m], (size_t)m * sizeof *a);
        if (t % 6 == 1)
            poke(&a[2 * m + 1], t);
        if (t % 7 == 2) {
            double *w = a[m + 1].w;
            w[1] += 1;
        }
        if (t % 9 == 5)
            memcpy(&a[m], &kept[m], (size_t)m * sizeof *a);
        if (t % 11 == 7)
            for (int i = 0; i < n; i++)
                printf("%g ", a[i * m + 2].v);
    }
    show_bytes("a", a, bytes);
    show_bytes("b", b, bytes);
    show_bytes("kept", kept, bytes);
    free(a);
    free(b);
    free(kept);
    return 0;
}
