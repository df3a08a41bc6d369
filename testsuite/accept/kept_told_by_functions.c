// Functions fold between the sweeps of a step, and the host makes numbers of what they return; one of them is needed before it
// changes and behind that.
// args: 29 21 ; 12 5 ; 40 2
// form: loops that the host keeps: along = gain / product(n, m, s, v);
// form: loops that the host keeps: double dt = 0.3 * dx / fastest(n, m, h, k);
#include <math.h>
#include "dump.h"

static double product(int n, int m, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            sum += a[i * m + j] * b[i * m + j];
    return sum;
}

static void spread(int n, int m, const double *from, double *to)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            to[i * m + j] = 4.25 * from[i * m + j] - 1.1 * from[(i - 1) * m + j] - 0.9 * from[(i + 1) * m + j]
                            - 0.8 * from[i * m + j - 1] - 1.2 * from[i * m + j + 1];
}

static int settle(int n, int m, int most, double *x, double *r, const double *s, double *p, double *v, double *w,
                  double *z)
{
    double gain = 1, along = 1, damp = 1, rest = 0;
    int k = 0;
#pragma stencil
    do {
        double last = gain;
        gain = product(n, m, s, r);
        double turn = (gain / last) * (along / damp);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                p[i * m + j] = r[i * m + j] + turn * (p[i * m + j] - damp * v[i * m + j]);
        spread(n, m, p, v);
        along = gain / product(n, m, s, v);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                w[i * m + j] = r[i * m + j] - along * v[i * m + j];
        spread(n, m, w, z);
        double cross = product(n, m, z, w);
        double own = product(n, m, z, z);
        damp = cross / own;
        rest = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                x[i * m + j] += along * p[i * m + j] + damp * w[i * m + j];
                r[i * m + j] = w[i * m + j] - damp * z[i * m + j];
                rest += r[i * m + j] * r[i * m + j];
            }
        k++;
    } while (k < most && sqrt(rest) > 1e-4);
    printf("%d %a %a %a\n", k, gain, along, damp);
    return k;
}

static double fastest(int n, int m, double h[n][m], double k[n][m])
{
    double most = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double speed = fabs(k[i][j]) + sqrt(fabs(h[i][j]) + 1);
            if (speed > most)
                most = speed;
        }
    return most;
}

static double total(int n, int m, double h[n][m])
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum += h[i][j];
    return sum;
}

static void run(int n, int m, double h[n][m], double k[n][m], double last[n][m], double end)
{
    double dx = 0.2, time = 0, mass;
#pragma stencil
    while (time < end) {
        double dt = 0.3 * dx / fastest(n, m, h, k);
        if (time + dt > end)
            dt = end - time;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                last[i][j] = h[i][j] - dt / dx * (k[i + 1][j] - k[i - 1][j]);
                k[i][j] -= 0.5 * dt / dx * (h[i][j + 1] - h[i][j]);
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                h[i][j] = last[i][j];
        mass = total(n, m, h);
        time += dt;
        printf("%a %a\n", time, mass);
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 29), most = argument(argc, argv, 2, 21), m = n + 3;
    size_t all = (size_t)n * m;
    double *a[7];
    for (int i = 0; i < 7; i++)
        a[i] = new_double(all, i + 1);
    settle(n, m, most, a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
    run(n, m, (double (*)[m])a[0], (double (*)[m])a[1], (double (*)[m])a[2], 0.01 * most);
    for (int i = 0; i < 7; i++)
        show_double("a", a[i], all);
    return 0;
}
