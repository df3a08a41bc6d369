// A loop that the host keeps declares an array that only its steps use, and their loop variables: behind it they are gone.
// args: 17 13 7 ; 9 21 1 ; 5 5 0
#include "dump.h"

enum { ROOM = 24 };

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 13), steps = argument(argc, argv, 3, 7);
    double *a = new_double(n * m, 1), most = 1;
#pragma stencil
    for (int t = 0; t < steps && most > 1e-3; t++) {
        double next[ROOM][ROOM];
        int i, j;
        if (t % 3 == 2)
            printf("%d\n", t);
        most = 0;
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                next[i][j] = a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1];
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++) {
                if (0.25 * next[i][j] - a[i * m + j] > most)
                    most = 0.25 * next[i][j] - a[i * m + j];
                a[i * m + j] = 0.25 * next[i][j];
            }
    }
    show_double("a", a, n * m);
    return 0;
}
