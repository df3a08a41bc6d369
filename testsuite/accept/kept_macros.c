// A loop that the host keeps, whose statements begin with macros that expand to what also stands behind their names.
#include <stdio.h>
#include <stdlib.h>
#define E(i,j) (a)[(i)*12+(j)]
#define B(i) b[i]
#define FILL(i, n) for (i = 0; i < (n); i++)
int main(void) {
    double *a = calloc(144, sizeof *a), *b = calloc(144, sizeof *b); int t, i, j, k = 3;
    FILL(i, 144) B(i) = i % 7;
#pragma stencil
    for (t = 0; t < 9; t++) {
        E(k, k + 1) = t + atoi("0");  /* hard source */
        FILL(i, 10) FILL(j, 10) E(i + 1, j + 1) += 0.1 * (B((i + 1) * 12 + j) - E(i + 1, j + 1));
        FILL(i, 144) B(i) = 0.5 * E(0, i);
        if (t % 3 == 0)
            E(2, 2) = atoi("1");
        else
            B(5) += atoi("2");
        E(1, 1) = atoi("4"); B(7) *= 2;
        if (t % 4 == 0) printf("%a %a\n", E(4, 4), B(60));
    }
    FILL(i, 144) printf("%a %a\n", E(0, i), B(i));
    return 0;
}
