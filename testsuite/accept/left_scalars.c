// Scalars that outlive the nest hold what the last iteration of each loop gave them, or what they held before.
// args: 9 4 3 ; 9 0 3 ; 1 4 3 ; 9 2 0 ; 12 1 9
#include "dump.h"

int last_index;
static double last_value = -7;

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 9), steps = argument(argc, argv, 2, 4), mode = argument(argc, argv, 3, 3);
    double a[3][16], b[16][16];
    int i, j, k, t, flag = -1, sign = -2, row = -3, first = -4, both = -5;
    unsigned char narrow = 200;
    float product = -1.5f;
    fill_double(&a[0][0], 3 * 16, 1);
    fill_double(&b[0][0], 16 * 16, 2);
#pragma stencil
    for (t = 0; t < steps; t++) {
        first = t;
        for (i = 0; i < n; i++) {
            flag = 1;
            row = i * 3 - mode;
            first = i + 100 * t;
            narrow = i - 1;
            product = 0.5f * i;
            for (j = 0; j < n; j++) {
                last_index = i * 16 + j;
                last_value = a[1][j];
                double sum = last_value;
                if (mode > 2)
                    sign = i - j;
                else
                    sign = j - t;
                for (k = -1; k <= 1; k++)
                    sum += a[1 + k][j] * k;
                b[i][j] = sum + row + flag;
            }
        }
        both = t - 9;
    }
    printf("%d %d %d %d, %d %d %d %d %d, %u %g, %d %.17g\n", steps > 0 ? t : 0, steps > 0 ? i : 0,
           steps > 0 && n > 0 ? j : 0, steps > 0 && n > 0 ? k : 0, flag, sign, row, first, both, narrow, product,
           last_index, last_value);
    show_double("b", &b[0][0], 16 * 16);
    return 0;
}
