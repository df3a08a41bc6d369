// Elements that an iteration stores more than once, and reads in between.
// form: bodies: c[i][j] += a[i][j - 1] - 1.1 * a[i][j + 1];
#include "dump.h"

int main(void)
{
    double a[30][34], c[30][34];
    unsigned char small[34];
    int k[34], m[34];
    fill_double(&a[0][0], 30 * 34, 1);
    fill_double(&c[0][0], 30 * 34, 2);
    for (int i = 0; i < 34; i++) {
        small[i] = (unsigned char)(7 * i);
        k[i] = m[i] = i % 5;
    }
#pragma stencil
    for (int t = 0; t < 6; t++) {
        for (int i = 1; i < 29; i++)
            for (int j = 1; j < 33; j++) {
                c[i][j] = 0.6 * a[i - 1][j] + 0.5 * a[i + 1][j];
                c[i][j] += a[i][j - 1] - 1.1 * a[i][j + 1];
                if (c[i][j] < 0.25)
                    c[i][j] = 0.25;
                else if (c[i][j] > 0.75)
                    c[i][j] = 0.75 + (c[i][j] - 0.75) / 8;
                if (j == 7)
                    c[i][j] *= 0.5;
            }
        for (int i = 1; i < 29; i++)
            for (int j = 1; j < 33; j++)
                a[i][j] = c[i][j];
    }
#pragma stencil
    for (int i = 1; i < 33; i++) {
        small[i] = (unsigned char)(small[i] + 250);
        k[i] = small[i];
        small[i] /= 2;
        m[i] = 3 * small[i];
        small[i] += 1;
        for (int r = 0; r < 3; r++)
            k[i] += r * m[i];
        m[i] = k[i] - small[i];
        k[i] = -k[i];
    }
#pragma stencil
    for (int i = -9; i < 0; i++) {
        k[-i] = m[-i] + 3;
        k[-i] *= 2;
    }
#pragma stencil
    for (int i = 1; i < 33; i++) {
        int is_third = i == 3;
        if (is_third)
            k[i] = 5;
        m[i] = k[i];
        if (is_third)
            k[i] = 6;
    }
    show_double("a", &a[0][0], 30 * 34);
    show_double("c", &c[0][0], 30 * 34);
    for (int i = 0; i < 34; i++)
        printf("%d %d %d\n", small[i], k[i], m[i]);
    return 0;
}
