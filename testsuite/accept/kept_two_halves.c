// The halves of one allocation are two grids in a loop that goes on until they change little.
// args: 17 21 50 ; 9 9 3 ; 3 4 7
// form: loops that the host keeps: change = fmax(change, fabs(a[plane + k] - a[k]));
#include <math.h>
#include "dump.h"

static int relax(double *a, int n, int m, int most)
{
    const int plane = n * m;
    double change = 1;
    int turns = 0;
    {
#pragma stencil
        while (change > 0.01 && turns < most) {
            change = 0;
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++) {
                    const int k = i * m + j;
                    a[plane + k] = 0.25 * (a[k - m] + a[k + m] + a[k - 1] + a[k + 1]);
                }
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++) {
                    const int k = plane + i * m + j;
                    a[k - plane] = 0.25 * (a[k - m] + a[k + m] + a[k - 1] + a[k + 1]);
                }
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++) {
                    const int k = i * m + j;
                    change = fmax(change, fabs(a[plane + k] - a[k]));
                }
            turns += 2;
            if (turns % 8 == 0)
                printf("%d %a\n", turns, change);
        }
    }
    return turns;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 17), m = argument(argc, argv, 2, 21), most = argument(argc, argv, 3, 5);
    size_t all = 2 * (size_t)n * (size_t)m;
    double *a = new_double(all, 1);
    printf("%d\n", relax(a, n, m, most));
    show_double("halves", a, all);
    return 0;
}
