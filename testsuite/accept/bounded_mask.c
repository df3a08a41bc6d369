// A blur in a function whose flat mask has as many rows and columns as its radius says; counters are declared before.
// args: 37 2 ; 30 0 ; 40 4 ; 40 1
// form: bodies: mask[(j + r) * (2 * r + 1) + i + r]
#include "dump.h"

static void blur(const float *in, float *out, int w, int h, const float *mask, int r)
{
    int x, y, i, j;
#pragma stencil
    for (y = r; y < h - r; y++)
        for (x = r; x < w - r; x++) {
            float sum = 0, weight = 0;
            for (j = -r; j <= r; j++)
                for (i = -r; i <= r; i++) {
                    float m = mask[(j + r) * (2 * r + 1) + i + r];
                    sum += m * in[(y + j) * w + x + i];
                    weight += m;
                }
            out[y * w + x] = sum / weight;
        }
}

int main(int argc, char **argv)
{
    int w = argument(argc, argv, 1, 37), r = argument(argc, argv, 2, 2), h = w - 7, side = 2 * r + 1;
    float *a = new_float(w * h, 1), *b = new_float(w * h, 2), *mask = new_float(side * side, 3);
    for (int t = 0; t < 3; t++) {
        blur(a, b, w, h, mask, r);
        float *tmp = a;
        a = b;
        b = tmp;
    }
    show_float("a", a, w * h); show_float("b", b, w * h);
    return 0;
}
