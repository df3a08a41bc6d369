/* j2d25pt: a Gaussian blur over the 5 x 5 box, one weight a point. 49 flops a point.
 * Idiom: a sum gathered row by row in a scalar with +=, weights from macros, copy-back by memcpy.
 * Usage: j2d25pt [height [width [steps]]] */
#include "../support.h"

/* Weights of the binomial filter 1 4 6 4 1, a row by a column, normalised. */
#define W(row, column) ((real)((row) * (column) / 256.0))
#define ROW(dy, row)                                                                               \
    (W(row, 1) * in[y + (dy)][x - 2] + W(row, 4) * in[y + (dy)][x - 1] +                           \
     W(row, 6) * in[y + (dy)][x] + W(row, 4) * in[y + (dy)][x + 1] +                               \
     W(row, 1) * in[y + (dy)][x + 2])

static void blur(int steps, int height, int width, real (*in)[width], real (*out)[width])
{
#pragma stencil
    for (int pass = 0; pass < steps; pass++) {
        for (int y = 2; y < height - 2; y++)
            for (int x = 2; x < width - 2; x++) {
                real sum = ROW(-2, 1);
                sum += ROW(-1, 4);
                sum += ROW(0, 6);
                sum += ROW(1, 4);
                sum += ROW(2, 1);
                out[y][x] = sum;
            }
        memcpy(in, out, (size_t)height * width * sizeof(real));
    }
}

int main(int argc, char **argv)
{
    int height = argument(argc, argv, 1, 99, 1);
    int width = argument(argc, argv, 2, 117, 1);
    int steps = argument(argc, argv, 3, 7, 0);
    size_t pixels = (size_t)height * width;
    real(*in)[width] = allocate(pixels, sizeof(real));
    real(*out)[width] = allocate(pixels, sizeof(real));

    fill(in[0], 1, height, width, 26);
    memcpy(out, in, pixels * sizeof(real));

    double start = seconds();
    blur(steps, height, width, in, out);
    report_time(start, pixels, steps);

    report("in", in, pixels, sizeof(real));
    report("out", out, pixels, sizeof(real));
    free(in);
    free(out);
    return 0;
}
