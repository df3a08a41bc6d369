// Each of several fields, as many as the command line says, needs the sum of all others at its point.
// args: 5 ; 1 ; 8
// notes: the device runs this nest only where `fields <= 8`
// form: bodies: for (int k = 0; k < fields; k++)
#include "dump.h"

enum { NX = 23, NY = 18 };
static double phi[8][NX][NY], next[8][NX][NY];

int main(int argc, char **argv)
{
    int fields = argument(argc, argv, 1, 5);
    fill_double(&phi[0][0][0], 8 * NX * NY, 1);
#pragma stencil
    for (int t = 0; t < 6; t++) {
        for (int g = 0; g < fields; g++)
            for (int i = 0; i < NX; i++)
                for (int j = 0; j < NY; j++) {
                    int up = (i + 1) % NX, down = (i - 1 + NX) % NX;
                    double lap = phi[g][up][j] + phi[g][down][j] - 2 * phi[g][i][j], others = 0;
                    for (int k = 0; k < fields; k++)
                        if (k != g)
                            others += phi[k][i][j] * phi[k][i][j];
                    next[g][i][j] = phi[g][i][j] + 0.01 * (0.3 * lap - phi[g][i][j] * others);
                }
        for (int g = 0; g < fields; g++)
            for (int i = 0; i < NX; i++)
                for (int j = 0; j < NY; j++)
                    phi[g][i][j] = next[g][i][j];
    }
    show_double("phi", &phi[0][0][0], 8 * NX * NY); show_double("next", &next[0][0][0], 8 * NX * NY);
    return 0;
}
