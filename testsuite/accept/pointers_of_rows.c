// Pointers to rows of one length, spelled in several ways and led through `void *`.
#include "dump.h"

enum { WIDTH = 4 };

int main(void)
{
    int n = 5;
    double a[3][WIDTH], b[3][4];
    double (*x)[n] = (double (*)[n])new_double(15, 5), (*y)[n] = (double (*)[n])new_double(15, 6);
    fill_double(&a[0][0], 12, 4);
    fill_double(&b[0][0], 12, 4);
    {
        int WIDTH = 3;
#pragma stencil
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < WIDTH; j++) {
                double (*p)[2 + 2] = (void *)a, (*q)[4] = (double (*)[4])p;
                b[i][j] = p[i][j] + q[i][j] + sizeof(a[0]);
            }
    }
#pragma stencil
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < 3; i++)
            for (int j = 1; j < 4; j++)
                y[i][j] = x[i][j - 1] + x[i][j + 1];
        void *s = x;
        x = y;
        y = s;
    }
    show_double("b", &b[0][0], 12);
    show_double("x", &x[0][0], 15);
    show_double("y", &y[0][0], 15);
    free(x);
    free(y);
    return 0;
}
