#include "fields.h"

#include <stdio.h>

enum { N = 91 };

int main(void)
{
    static double a[N], b[N];
    for (int i = 0; i < N; i++) {
        a[i] = 1.0 / (i + 1);
        b[i] = -0.01 * i;
    }
    heat(N, 5, a, b);
    wave(N, 4, a, b);
    for (int i = 0; i < N; i++)
        printf("%a %a\n", a[i], b[i]);
    return 0;
}
