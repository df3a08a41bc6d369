/* Gradient (Holewinski et al., ICS 2012): smooths an image along its gradient, u moves by the sum
 * of the four differences to its neighbours over the length of their vector.
 * 18 flops a point, the reciprocal square root taken as one. Idiom: flat arrays, `const` scalar
 * temporaries, image borders left alone; EPSILON bounds the step.
 * Usage: gradient [height [width [steps]]] */
#include <math.h>

#include "../support.h"

#define EPSILON ((real)16)
#define PIXEL(img, y, x) ((img)[(y) * width + (x)])

static void gradient(real *src, real *dst, int height, int width, int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int y = 1; y <= height - 2; y++) {
            for (int x = 1; x <= width - 2; x++) {
                const real c = PIXEL(src, y, x);
                const real n = PIXEL(src, y - 1, x) - c;
                const real s = PIXEL(src, y + 1, x) - c;
                const real w = PIXEL(src, y, x - 1) - c;
                const real e = PIXEL(src, y, x + 1) - c;
                PIXEL(dst, y, x) = c + (n + s + w + e) *
                                           (1 / sqrt(EPSILON + n * n + s * s + w * w + e * e));
            }
        }
        real *tmp = src; src = dst; dst = tmp;
    }
}

int main(int argc, char **argv)
{
    int height = argument(argc, argv, 1, 109, 1);
    int width = argument(argc, argv, 2, 91, 1);
    int steps = argument(argc, argv, 3, 13, 0);
    size_t pixels = (size_t)height * width;
    real *image = allocate(pixels, sizeof(real));
    real *work = allocate(pixels, sizeof(real));

    fill(image, 1, height, width, 17);
    for (size_t i = 0; i < pixels; i++)
        image[i] *= 128;
    memcpy(work, image, pixels * sizeof(real));

    double start = seconds();
    gradient(image, work, height, width, steps);
    report_time(start, pixels, steps);

    report("image", image, pixels, sizeof(real));
    report("work", work, pixels, sizeof(real));
    free(image);
    free(work);
    return 0;
}
