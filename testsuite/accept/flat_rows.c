// Flat subscripts of rows of three numbers, and of an array whose declared length shows which elements exist.
#include "dump.h"

#define NX 24
#define NY 18

static float d[NX * NY][3], e[NX * NY][3];
static double a[NX * NY], b[NX * NY];

int main(int argc, char **argv)
{
    int nx = argc + NX - 1, ny = argc + NY - 1;
    float(*p)[3] = d, (*q)[3] = e;
    (void)argv;
    fill_float(&d[0][0], 3 * NX * NY, 1);
    fill_float(&e[0][0], 3 * NX * NY, 2);
    fill_double(a, NX * NY, 3);
    fill_double(b, NX * NY, 4);
#pragma stencil
    for (int t = 0; t < 5; t++) {
        for (int j = 1; j < ny - 1; j++)
            for (int i = 1; i < nx - 1; i++) {
                q[i + j * nx][0] = p[i - 1 + j * nx][0] + p[i + 1 + j * nx][1];
                q[i + j * nx][1] = p[i + (j - 1) * nx][2];
                q[i + j * nx][2] = p[i + j * nx][2] * 0.5f;
            }
        for (int j = 1; j < ny - 1; j++)
            for (int i = 1; i < nx - 1; i++)
                for (int k = 0; k < 3; k++)
                    p[i + j * nx][k] = q[i + j * nx][k] * 0.5f;
    }
#pragma stencil
    for (int t = 0; t < 5; t++) {
        for (int i = 1; i < NX - 1; i++)
            for (int j = 1; j < NY - 1; j++)
                if (a[i * NY + j] > 0.3)
                    b[i * NY + j] = a[(i - 1) * NY + j] - a[(i + 1) * NY + j + 1];
                else
                    b[i * NY + j] = 0.7;
        for (int i = 1; i < NX - 1; i++)
            for (int j = 1; j < NY - 1; j++)
                a[i * NY + j] = b[i * NY + j] * 0.5;
    }
    show_float("d", &d[0][0], 3 * NX * NY);
    show_double("a", a, NX * NY);
    return 0;
}
