/* TV Update 2D (Holewinski et al., ICS 2012): one update of total-variation image restoration, the
 * divergence of the normalised gradient, slowed at strong edges, with a pull towards black, kept
 * within the range of a pixel.
 * 7 elements and 59 flops a point, as written (SQR takes its difference twice) and with the two
 * comparisons: 27 for the three lengths, 11 for the divergence, 11 + 3 for the edge stop, 5 for the
 * step, 2 for the range. Idiom: macros that take offsets, nested ?:, copy-back by memcpy.
 * Usage: tv-update-2d [height [width [steps]]] */
#include <math.h>

#include "../support.h"

#define U(dy, dx) u[y + (dy)][x + (dx)]
#define SQR(v) ((v) * (v))
#define LENGTH(dy, dx)                                                                             \
    sqrt(EPS + SQR(U((dy) + 1, dx) - U(dy, dx)) + SQR(U(dy, (dx) + 1) - U(dy, dx)))
#define CLAMP(v, low, high) ((v) < (low) ? (low) : (v) > (high) ? (high) : (v))

enum { WHITE = 255 };

#define EPS 4.0
#define DT 0.45
#define DECAY 0.002
#define EDGE 1e-3

int main(int argc, char **argv)
{
    int height = argument(argc, argv, 1, 107, 1);
    int width = argument(argc, argv, 2, 93, 1);
    int steps = argument(argc, argv, 3, 7, 0);
    size_t pixels = (size_t)height * width;
    real(*u)[width] = allocate(pixels, sizeof(real));
    real(*out)[width] = allocate(pixels, sizeof(real));

    fill(u[0], 1, height, width, 18);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            u[y][x] *= 127;
    memcpy(out, u, pixels * sizeof(real));

    double start = seconds();
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int y = 1; y < height - 1; y++)
            for (int x = 1; x < width - 1; x++) {
                real here = LENGTH(0, 0), above = LENGTH(-1, 0), left = LENGTH(0, -1);
                real divergence = (U(1, 0) - U(0, 0)) / here + (U(0, 1) - U(0, 0)) / here -
                                  (U(0, 0) - U(-1, 0)) / above - (U(0, 0) - U(0, -1)) / left;
                real slope = SQR(0.5 * (U(1, 0) - U(-1, 0))) + SQR(0.5 * (U(0, 1) - U(0, -1)));
                real stop = 1 / (1 + EDGE * slope);
                real value = U(0, 0) + DT * (stop * divergence - DECAY * U(0, 0));
                out[y][x] = CLAMP(value, 0, WHITE);
            }
        memcpy(u, out, pixels * sizeof(real));
    }
    report_time(start, pixels, steps);

    report("u", u, pixels, sizeof(real));
    report("out", out, pixels, sizeof(real));
    free(u);
    free(out);
    return 0;
}
