// Loops that the host keeps follow each other in its loop over frames; within them it reads and stores elements, leaves the loop
// or the function, and computes what steps are given, so that what those before have computed must be there.
// args: 24 9 12 3 0 0 99 ; 24 9 12 3 4 0 99 ; 24 9 12 3 0 5 99 ; 20 5 23 4 3 2 99 ; 20 5 23 4 3 0 7 ; 20 5 23 4 0 0 2 ; 3 2 2 2 1 1 99
// notes: what this nest computes stays on the device for the next one
// form: loops that the host keeps: c[n + 1] += drand48();
#include "dump.h"

double drand48(void);

static int run(int n, double *a, double *b, double *c, int most, int steps, int frames, int probe, int store, int last)
{
    double w = 0.1;
    for (int frame = 0; frame < frames; frame++) {
        double err = 1;
        int it = 0;
#pragma stencil
        while (err > 1e-3 * n && it < most) {
            err = 0;
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++) {
                    b[i * n + j] = 0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]);
                    err += (b[i * n + j] - a[i * n + j]) * (b[i * n + j] - a[i * n + j]);
                }
            double *swapped = a;
            a = b;
            b = swapped;
            it++;
        }
        printf("relaxed %d %a\n", it, err);
#pragma stencil
        for (int t = 0; t < steps; t++) {
            w = 0.5 * w + 0.01 * t;
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++)
                    b[i * n + j] = w * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j]) + 0.3 * c[i * n + j];
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++)
                    a[i * n + j] = b[i * n + j];
            if (t % 10 == 3)
                printf("step %d\n", t);
            if (probe && t % probe == probe - 1)
                printf("probe %a %a\n", a[(n / 2) * n + n / 2], c[n / 2]);
            if (store && t % store == store - 1)
                c[n + 1] += drand48();
            if (t == last && frame == 1)
                return frame;
            if (t == last)
                break;
        }
        printf("once more\n");
#pragma stencil
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                c[i * n + j] = a[i * n + j] - b[i * n + j - 1];
    }
    return frames;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 24), most = argument(argc, argv, 2, 9), steps = argument(argc, argv, 3, 12);
    int frames = argument(argc, argv, 4, 3), probe = argument(argc, argv, 5, 4), store = argument(argc, argv, 6, 0);
    double *a = new_double((size_t)n * n, 1), *b = new_double((size_t)n * n, 2), *c = new_double((size_t)n * n, 3);
    printf("%d\n", run(n, a, b, c, most, steps, frames, probe, store, argument(argc, argv, 7, 99)));
    show_double("a", a, (size_t)n * n);
    show_double("b", b, (size_t)n * n);
    show_double("c", c, (size_t)n * n);
    return 0;
}
