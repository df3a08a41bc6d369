// Loops over frames in which nothing but steps is: each frame takes so many of them, by turns from one array into the other.
// args: 40 7 6 ; 17 1 3 ; 3 0 2 ; 9 4 0
// form: loops that the host keeps: if (k % 2) step(n, b, a); else step(n, a, b);
// form: loops that the host keeps: for (int k = 0; k < f; k++) {
#include "dump.h"

static void step(int n, float *to, const float *from)
{
    for (int i = 1; i < n - 1; i++)
        to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

static void by_turns(int n, int steps, int frames, float *a, float *b)
{
#pragma stencil
    for (int f = 0; f < frames; f++)
        for (int k = 0; k < steps; k++)
            if (k % 2) step(n, b, a); else step(n, a, b);
}

static unsigned triangle(int n, int frames, double (*a)[n], double (*b)[n])
{
    unsigned count = 0;
#pragma stencil
    for (int f = 0; f < frames; f++) {
        for (int k = 0; k < f; k++) {
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++)
                    b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++)
                    a[i][j] = b[i][j] + f;
            count++;
        }
    }
    return count;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), steps = argument(argc, argv, 2, 7), frames = argument(argc, argv, 3, 6);
    float *a = new_float(n, 1), *b = new_float(n, 2);
    double (*u)[n] = (double (*)[n])new_double((size_t)n * n, 3), (*v)[n] = (double (*)[n])new_double((size_t)n * n, 4);
    by_turns(n, steps, frames, a, b);
    show_float("a", a, n);
    show_float("b", b, n);
    printf("%u\n", triangle(n, frames, u, v));
    show_double("u", *u, (size_t)n * n);
    show_double("v", *v, (size_t)n * n);
    return 0;
}
