// Arrays whose elements are scalars of a point: collected by loops, listed, corrected, of two dimensions.
// form: bodies: double w[3], box[2][3], s[2] = {1}, sum = 0;
// form: bodies: const double weight[3] = {0.25, 0.5, 0.25};
// args: 17 13 ; 20 9
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 13);
    double (*a)[m] = (double (*)[m])new_double(n * m, 1), (*b)[m] = (double (*)[m])new_double(n * m, 2);
#pragma stencil
    for (int t = 0; t < 3; t++) {
        const double weight[3] = {0.25, 0.5, 0.25};
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                double w[3], box[2][3], s[2] = {1}, sum = 0;
                static const int side[2] = {-1, 1};
                for (int k = 0; k < 3; k++)
                    w[k] = a[i][j + k - 1];
                for (int p = 0; p < 2; p++)
                    for (int q = 0; q < 3; q++)
                        box[p][q] = a[i + side[p]][j + q - 1] * (p + q);
                w[1] *= 2;
                if (w[0] > 0)
                    w[2] = w[0] + w[1];
                else
                    box[1][1] += 1;
                for (int k = 0; k < 3; k++)
                    sum += weight[k] * w[k] + box[0][k] - box[1][2 - k];
                s[1] = s[0] + sum;
                s[0]++;
                b[i][j] = s[1] / (3 + s[0] * s[0]);
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
    }
    show_double("a", &a[0][0], n * m);
    show_double("b", &b[0][0], n * m);
    return 0;
}
