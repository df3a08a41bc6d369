// Elements of type unsigned char and signed char: arithmetic in int, stores that wrap.
// args: 17 9 5 ; 8 31 3
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 9);
    int steps = argument(argc, argv, 3, 5);
    unsigned char a[n][m], b[n][m];
    signed char s[n][m];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            a[i][j] = (unsigned char)(256.0 * (noise(i * m + j) + 0.5));
            b[i][j] = (unsigned char)(i + j);
            s[i][j] = (signed char)(200.0 * noise(-i * m - j));
        }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j] + s[i][j]) / 3;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j] + 1;
    }
    show_bytes("a", a, sizeof a);
    show_bytes("b", b, sizeof b);
    show_bytes("s", s, sizeof s);
    return 0;
}
