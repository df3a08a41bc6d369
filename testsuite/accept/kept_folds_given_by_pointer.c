// A residual that a function stores through a pointer which its caller only gives on, with one that is added to it and one returned.
// args: 23 17 40 ; 9 8 3 ; 12 7 0
// form: sums, maxima and counts over points: *error = err;
// form: sums, maxima and counts over points: double left = relax(nx, ny, error, u0, u, r);
#include "dump.h"
#include <math.h>

static double relax(int nx, int ny, double *error, const double *u0, double *u, double *r)
{
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            r[i + j * nx] = u[i + j * nx];
    double err = 0.0;
    for (int j = 1; j < ny - 1; j++)
        for (int i = 1; i < nx - 1; i++) {
            const int at = i + j * nx;
            u[at] = (u0[at] + r[at - 1] + r[at + 1] + r[at - nx] + r[at + nx]) / 5.0;
            err += fabs(u[at] - r[at]);
        }
    *error = err;
    return err;
}

static void over_all(double *error)
{
    (void)*error;
}

static void step(int nx, int ny, const double *u0, double *u, double *r, double *error)
{
    relax(nx, ny, error, u0, u, r);
    over_all(error);
}

static int solve(int nx, int ny, int most, double eps, const double *u0, double *u, double *r, double *error)
{
    int t;
#pragma stencil
    for (t = 0; t < most; ++t) {
        step(nx, ny, u0, u, r, error);
        if (fabs(*error) < eps)
            break;
    }
    return t;
}

static void smooth(int nx, int ny, int most, const double *u0, double *u, double *r, double *error, double *all)
{
    if (*all > 1e6)
        return;
    *error += 1;
#pragma stencil
    for (int t = 0; t < most; ++t) {
        double left = relax(nx, ny, error, u0, u, r);
        *all += left;
        if (t % 3 == 2)
            printf("%d %a %a\n", t, *error, *all);
    }
}

int main(int argc, char **argv)
{
    int nx = argument(argc, argv, 1, 23), ny = argument(argc, argv, 2, 17), most = argument(argc, argv, 3, 40);
    size_t all = (size_t)nx * (size_t)ny;
    double *u0 = new_double(all, 1), *u = new_double(all, 2), *r = new_double(all, 3), numbers[2] = { 1e10, 2 };
    printf("%d\n", solve(nx, ny, most, 0.125, u0, u, r, &numbers[0]));
    show_double("numbers", numbers, 2);
    smooth(nx, ny, most, u0, u, r, &numbers[0], &numbers[1]);
    show_double("numbers", numbers, 2);
    show_double("u", u, all);
    show_double("r", r, all);
    return 0;
}
