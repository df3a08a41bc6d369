// Constants in every spelling: hexadecimal, octal, characters, enums, suffixes, static const.
// args: 37 5 ; 20 4
#include "dump.h"

enum { FIRST = 1, GAP = 'b' - 'a', SHIFT };
static const int last_offset = 01;
static const double eighth = 0x1p-3;
#define TENTH 1e-1
#define PI_F 3.14159274f

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    const int two = 2;
#pragma stencil
    for (int t = 0x0; t < steps; t++) {
        for (int i = FIRST; i < n - last_offset; i += GAP)
            b[i] = 0x1.8p-2 * a[i - GAP] + eighth * a[i + 01] - 1e-3f * PI_F + TENTH / 3.
                   + .5e-1 * ('A' - 0x40) + 010 * 1e-4 + two * 1E-2 + 3UL * 1e-3 + 0.1 * SHIFT
                   + '\n' * 1e-6 + 1u / 2 + (1 << SHIFT) * 1e-5;
        for (int i = FIRST; i < n - last_offset; i += GAP)
            a[i] = b[i];
    }
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
