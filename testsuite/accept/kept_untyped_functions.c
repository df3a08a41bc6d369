// Functions without a type return an int, as in C90: the loop variable that the host needs nowhere is one of the function's own.
// cflags: -Wno-implicit-int -Wno-implicit-function-declaration -Wno-old-style-definition -Wno-return-type
// form: calls: main()
// form: calls: show(u, n, step)
#include "dump.h"

#define N 41

static double a[N], b[N], seen[N];

main()
{
    int i, k, n = N - 2, every = 3, steps = 11;
    double sum = 0;

    fill_double(a, N, 1);
    fill_double(b, N, 2);
#pragma stencil
    for (k = 1; k <= steps; k++) {
        for (i = 0; i < N; i++)
            seen[i] = a[i] + .25;
        if (k % every == 1)
            sum += show(seen, n, k);
        for (i = 1; i <= n; i++)
            b[i] = a[i] + 0.2 * (a[i - 1] - 2 * a[i] + a[i + 1]);
        for (i = 1; i <= n; i++)
            a[i] = b[i];
    }
    printf("%.17g\n", sum);
    for (i = 0; i < N; i++)
        printf("%.17g %.17g %.17g\n", a[i], b[i], seen[i]);
    return 0;
}

show(u, n, step)
double u[N];
int n, step;
{
    int i;
    double all = 0;

    for (i = 1; i <= n; i++)
        all += u[i];
    printf("%d: %.17g\n", step, all);
    return step + (all > 1);
}
