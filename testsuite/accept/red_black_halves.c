// Red and black cells in arrays of half the width: where the neighbours are depends on whether the column is odd.
// form: subscripts: black[row - (col % 2) + col * half]
// form: subscripts: red[row + ((col + 1) & 1) + col * half]
// args: 24 5 ; 30 4 ; 16 1 ; 18 0
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 24), steps = argument(argc, argv, 2, 5), half = n / 2 + 2, size = (n + 2) * half;
    double *red = new_double(size, 1), *black = new_double(size, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int col = 1; col < n + 1; col++)
            for (int row = 1; row < n / 2 + 1; row++) {
                int here = col * half + row;
                red[here] = 0.25 * (black[row + (col - 1) * half] + black[row + (col + 1) * half] +
                                    black[row - (col % 2) + col * half] + black[row + ((col + 1) % 2) + col * half]);
            }
        for (int col = 1; col < n + 1; col++)
            for (int row = 1; row < n / 2 + 1; row++) {
                int here = col * half + row;
                black[here] = 0.25 * (red[here - half] + red[here + half] + red[row - ((col + 1) % 2) + col * half] +
                                      red[row + (col & 1) + col * half]) + 0.001 * red[row + ((col + 1) & 1) + col * half];
            }
    }
    show_double("red", red, size);
    show_double("black", black, size);
    return 0;
}
