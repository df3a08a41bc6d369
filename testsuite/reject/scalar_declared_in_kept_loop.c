// A number that the host begins in each step, and that the step changes by an element between its sweeps.
// remedy: s/top = 0;/top = 0, near;/
// remedy: s/double near = t;/near = t;/
#include <math.h>
#include <stdio.h>

#define N 50

static double u[N], v[N];

int main(void)
{
    double top = 0;
    for (int i = 0; i < N; i++)
        u[i] = i * 0.37;
#pragma stencil
    for (int t = 0; t < 7; t++) {
        double near = t;
        printf("step %d begins with %g\n", t, near);
        for (int i = 1; i < N - 1; i++)
            v[i] = 0.5 * (u[i - 1] + u[i + 1]) + near;
        near += v[3];
        for (int i = 1; i < N - 1; i++)
            u[i] = v[i] - near;
        top = fmax(top, u[1]);
    }
    printf("%a %a\n", top, u[4]);
    return 0;
}
